package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The handler of each caller reads the body of a shared response, from the first byte on. */
@OnEachJdk
class JdkClientBodyTests extends JdkClientFixture {

    @Test
    void H28_everyCallersOwnHandlerReadsTheBody(@TempDir Path directory) throws Exception {
        String body = "0123456789\n".repeat(5_000);
        origin.answer(request -> OriginReply.ok(body));
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> text = client.sendAsync(get(), BodyHandlers.ofString());
        hold.await(1);
        CompletableFuture<HttpResponse<byte[]>> bytes = client.sendAsync(get(), BodyHandlers.ofByteArray());
        CompletableFuture<HttpResponse<InputStream>> stream = client.sendAsync(get(), BodyHandlers.ofInputStream());
        CompletableFuture<HttpResponse<Stream<String>>> lines = client.sendAsync(get(), BodyHandlers.ofLines());
        CompletableFuture<HttpResponse<Path>> file =
                client.sendAsync(get(), BodyHandlers.ofFile(directory.resolve("body")));
        CompletableFuture<HttpResponse<Void>> nothing = client.sendAsync(get(), BodyHandlers.discarding());
        hold.release();
        assertThat(valueOf(text).body()).isEqualTo(body);
        assertThat(valueOf(bytes).body()).asString(StandardCharsets.UTF_8).isEqualTo(body);
        try (InputStream opened = valueOf(stream).body()) {
            assertThat(opened).asString(StandardCharsets.UTF_8).isEqualTo(body);
        }
        try (Stream<String> opened = valueOf(lines).body()) {
            assertThat(opened).hasSize(5_000);
        }
        assertThat(Files.readString(valueOf(file).body())).isEqualTo(body);
        assertThat(valueOf(nothing).body()).isNull();
        assertThat(origin.requests()).hasSize(1);
    }

    /** Ends with the number of items that it was given. */
    private static final class ItemsOfABody extends Reader {

        private final CompletableFuture<String> body = new CompletableFuture<>();
        private int items;

        @Override
        public CompletableFuture<String> getBody() {
            return body;
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            items++;
        }

        @Override
        public void onComplete() {
            body.complete(items + " items");
        }
    }

    /** The JDK's own readers assert that an item has bytes. */
    @Test
    void H28_aReaderOfABodyWithoutBytesGetsNoItem() throws Exception {
        origin.answer(request -> OriginReply.ok(""));
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = client.sendAsync(get(), head -> new ItemsOfABody());
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = client.sendAsync(get(), head -> new ItemsOfABody());
        CompletableFuture<HttpResponse<String>> plain = JdkClients.PLAIN.sendAsync(get(), head -> new ItemsOfABody());
        hold.release();
        assertThat(List.of(
                        valueOf(plain).body(),
                        valueOf(leader).body(),
                        valueOf(follower).body()))
                .containsOnly("0 items");
    }

    @Test
    void H28_aFollowerSeesNothingOfTheLeadersRequest() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        HttpRequest one = request().header("traceparent", "one").build();
        HttpRequest two = request().header("traceparent", "two").build();
        CompletableFuture<HttpResponse<String>> leader = client.sendAsync(one, BodyHandlers.ofString());
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = client.sendAsync(two, BodyHandlers.ofString());
        hold.release();
        assertThat(valueOf(leader).request()).isSameAs(one);
        assertThat(valueOf(follower).request()).isSameAs(two);
        assertThat(valueOf(follower).version()).isEqualTo(valueOf(leader).version());
        assertThat(valueOf(follower).uri()).isEqualTo(origin.uri("/a"));
        assertThat(valueOf(follower).sslSession()).isEmpty();
        assertThat(valueOf(follower)).hasToString("(GET " + origin.uri("/a") + ") 200");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H28_aHandlerThatThrowsFailsItsOwnCallerOnly() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        List<CompletableFuture<?>> failing = new ArrayList<>();
        failing.add(client.sendAsync(get(), info -> {
            throw new IllegalStateException("of the handler");
        }));
        hold.await(1);
        failing.add(client.sendAsync(get(), info -> new Reader() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                throw new IllegalStateException("of the subscription");
            }
        }));
        failing.add(client.sendAsync(get(), info -> new Reader() {
            @Override
            public void onNext(List<ByteBuffer> item) {
                throw new IllegalStateException("of the bytes");
            }
        }));
        CompletableFuture<HttpResponse<String>> other = sendAsync(client);
        hold.release();
        for (CompletableFuture<?> future : failing) {
            assertThat(failureOf(future)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(valueOf(other).body()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H38_theFirstBytesOfAnEndlessBodyComeAtOnce() throws Exception {
        origin.answer(request -> OriginReply.ok("[{\"id\":1},").stalled());
        HttpResponse<InputStream> response = fresh().send(get(), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            assertThat(body.readNBytes(10)).asString(StandardCharsets.UTF_8).isEqualTo("[{\"id\":1},");
        }
    }

    @Test
    void H38_aCallerThatReadsTheStatusOnlyIsNotFailedByATruncatedBody() throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        HttpResponse<InputStream> response = fresh().send(get(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        response.body().close();
    }

    @Test
    void H27_aResponseOverTheLimitIsStreamedAndMayBeClosedHalfRead() throws Exception {
        String body = "0123456789".repeat(200_000);
        origin.answer(request -> OriginReply.ok(body).chunked());
        HttpClient client = new CollapseHttpClient(
                JdkClients.PLAIN, everything().maxBodySize(3).build(), IN_FLIGHT);
        assertThat(client.send(get(), BodyHandlers.ofString()).body()).isEqualTo(body);
        try (InputStream half = client.send(get(), BodyHandlers.ofInputStream()).body()) {
            assertThat(half.readNBytes(10)).asString(StandardCharsets.UTF_8).isEqualTo("0123456789");
        }
    }

    @Test
    void H27_aBodyOverTheLimitThatBreaksOffFailsItsReader() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(100_000)).truncated());
        HttpClient client = new CollapseHttpClient(
                JdkClients.PLAIN, everything().maxBodySize(3).build(), IN_FLIGHT);
        assertThatThrownBy(() -> client.send(get(), BodyHandlers.ofString())).isInstanceOf(IOException.class);
    }
}
