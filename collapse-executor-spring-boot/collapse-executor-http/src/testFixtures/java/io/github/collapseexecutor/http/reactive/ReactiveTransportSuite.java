package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DataBufferWrapper;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.mock.http.client.reactive.MockClientHttpRequest;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** What the adapters of WebClient do with the responses of a transport: buffers, large bodies, transports that break promises. */
abstract class ReactiveTransportSuite extends ReactiveFixture {

    /** The subscriber takes the first buffer of a large body, and then no more: the connection ends, nothing leaks. */
    @Test
    void H27_aCallerThatLeavesInTheMiddleOfALargeBodyEndsIt() throws Exception {
        String large = "0123456789".repeat(200_000);
        origin.answer(request -> OriginReply.ok(large).chunked());
        WebClient client = client(everything(CollapsePolicy.strict()).maxBodySize(1000), HttpClient.create());
        Integer first = client.get()
                .uri(origin.uri("/a"))
                .exchangeToFlux(response -> response.bodyToFlux(DataBuffer.class))
                .map(buffer -> {
                    int length = buffer.readableByteCount();
                    DataBufferUtils.release(buffer);
                    return length;
                })
                .blockFirst(Duration.ofSeconds(30));
        assertThat(first).isPositive().isLessThan(large.length());
    }

    /** The first buffer is more than may be shared, and nobody reads the rest. */
    @Test
    void H27_aLargeBodyThatNobodyReadsIsReleased() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(200_000)).chunked());
        WebClient client = client(everything(CollapsePolicy.strict()).maxBodySize(1000), HttpClient.create());
        for (int i = 0; i < 20; i++) {
            assertThat(client.get()
                            .uri(origin.uri("/a"))
                            .exchangeToMono(ClientResponse::releaseBody)
                            .thenReturn(true)
                            .block(Duration.ofSeconds(30)))
                    .isTrue();
        }
    }

    @Test
    void H28_receiversShareNeitherHeadersNorBuffers() throws Exception {
        WebClient client = client();
        origin.answer(request -> OriginReply.ok("body").with("X-Own", "1"));
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(client.get()
                    .uri(origin.uri("/a"))
                    .exchangeToMono(response -> response.bodyToMono(DataBuffer.class)
                            .map(buffer -> {
                                String body = buffer.toString(StandardCharsets.UTF_8);
                                buffer.writePosition(0).write("ruin".getBytes(StandardCharsets.UTF_8));
                                DataBufferUtils.release(buffer);
                                return body + response.headers().header("X-Own");
                            }))
                    .toFuture());
        }
        hold.release();
        for (CompletableFuture<String> answer : answers) {
            assertThat(await(answer)).isEqualTo("body[1]");
        }
        assertThat(sentFor).hasSize(1);
    }

    @Test
    void H38_aLoneCallerReadsTheBodyAsItComes() {
        origin.answer(request ->
                OriginReply.ok("first").with("Content-Type", "application/json").stalled());
        WebClient client = client(
                everything(CollapsePolicy.strict()).build(),
                CollapseOptions.defaults(),
                new ReactorClientHttpConnector());
        String first = client.get()
                .uri(origin.uri("/a"))
                .exchangeToFlux(response -> response.bodyToFlux(DataBuffer.class))
                .map(buffer -> {
                    String text = buffer.toString(StandardCharsets.UTF_8);
                    DataBufferUtils.release(buffer);
                    return text;
                })
                .blockFirst(Duration.ofSeconds(30));
        assertThat(first).isEqualTo("first");
    }

    @Test
    void H38_aLoneCallerThatReadsOnlyTheStatusIsNotFailedByTheBody() {
        origin.answer(request -> OriginReply.ok("part").truncated());
        WebClient client = client(
                everything(CollapsePolicy.strict()).build(),
                CollapseOptions.defaults(),
                new ReactorClientHttpConnector());
        assertThat(client.get()
                        .uri(origin.uri("/a"))
                        .exchangeToMono(
                                response -> Mono.just(response.statusCode().value()))
                        .block(Duration.ofSeconds(30)))
                .isEqualTo(200);
    }

    /** Those that have read in vain get what WebClient has for that, and the others what it has for a request in vain. */
    @Test
    void H39_aBodyThatBreaksOffFailsItsReadersAsWithoutTheAdapter() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789").truncated());
        WebClient client = client();
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            answers.add(get(client).toFuture());
        }
        hold.release();
        List<Throwable> failures = new ArrayList<>();
        for (CompletableFuture<String> answer : answers) {
            failures.add(answer.handle((body, failure) -> failure).get(30, TimeUnit.SECONDS));
        }
        assertThat(failures)
                .hasOnlyElementsOfType(WebClientException.class)
                .allSatisfy(failure -> assertThat(failure).hasRootCauseInstanceOf(IOException.class));
        assertThat(failures.get(0)).isInstanceOf(WebClientResponseException.class);
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H39_aCallerThatReadsOnlyTheStatusIsNotFailedByABodyThatOthersRead() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789").truncated());
        WebClient client = client();
        assertThat(client.get()
                        .uri(origin.uri("/a"))
                        .exchangeToMono(
                                response -> Mono.just(response.statusCode().value()))
                        .block(Duration.ofSeconds(30)))
                .isEqualTo(200);
    }

    @Test
    void H39_aHeaderWithoutAValueIsNoObstacle() throws Exception {
        WebClient client = client();
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(client.get()
                    .uri(origin.uri("/a"))
                    .header("X-Absent", (String) null)
                    .retrieve()
                    .bodyToMono(String.class)
                    .toFuture());
        }
        hold.release();
        for (CompletableFuture<String> answer : answers) {
            assertThat(await(answer)).isEqualTo("/a");
        }
        assertThat(sentFor).hasSize(1);
    }

    /** How a transport may break its promises; whatever it does, no caller waits for ever. */
    static Stream<Arguments> brokenTransports() {
        return Stream.of(
                broken("throws when it connects", () -> {
                    throw new IllegalStateException("connect");
                }),
                broken("never has a response", Mono::empty),
                broken(
                        "has a body that cannot be read",
                        () -> Mono.just(new BrokenResponse(() -> {
                            throw new IllegalStateException("body");
                        }))),
                broken(
                        "has a buffer that cannot be read",
                        () -> Mono.just(new BrokenResponse(() -> Flux.just(new BrokenBuffer())))),
                broken(
                        "has a body that fails with an error",
                        () -> Mono.just(new BrokenResponse(() -> Flux.error(new LinkageError("body"))))));
    }

    private static Arguments broken(String name, Supplier<Mono<ClientHttpResponse>> response) {
        return Arguments.of(name, response);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenTransports")
    void H39_aTransportThatBreaksItsPromisesFailsItsCallers(String name, Supplier<Mono<ClientHttpResponse>> response)
            throws Exception {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        WebClient client = client(
                everything(CollapsePolicy.strict())
                        .onLeaderFailure(LeaderFailurePolicy.SHARE)
                        .build(),
                IN_FLIGHT,
                (method, uri, callback) -> callback.apply(new MockClientHttpRequest(method, uri))
                        .then(Mono.fromFuture(released, true))
                        .flatMap(ready -> response.get()));
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(get(client).toFuture());
        }
        released.complete(true);
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer).failsWithin(Duration.ofSeconds(30)).withThrowableOfType(ExecutionException.class);
        }
    }

    /** A response that is fine but for its body. */
    static final class BrokenResponse implements ClientHttpResponse {

        private final Supplier<Flux<DataBuffer>> body;

        BrokenResponse(Supplier<Flux<DataBuffer>> body) {
            this.body = body;
        }

        @Override
        public HttpStatusCode getStatusCode() {
            return HttpStatusCode.valueOf(200);
        }

        @Override
        public HttpHeaders getHeaders() {
            return new HttpHeaders();
        }

        @Override
        public MultiValueMap<String, ResponseCookie> getCookies() {
            return new LinkedMultiValueMap<>();
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body.get();
        }
    }

    /** A buffer that a transport has released too early. */
    static final class BrokenBuffer extends DataBufferWrapper {

        BrokenBuffer() {
            super(DefaultDataBufferFactory.sharedInstance.wrap(new byte[1]));
        }

        @Override
        public int readableByteCount() {
            throw new NoClassDefFoundError("buffer");
        }
    }
}
