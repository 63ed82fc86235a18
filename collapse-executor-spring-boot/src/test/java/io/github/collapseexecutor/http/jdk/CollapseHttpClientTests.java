package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the adapter of the JDK's client promises: handlers, time-outs, cancellation, redirects, cookies, exceptions. */
class CollapseHttpClientTests {

    private static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .maxWait(Duration.ofMinutes(10))
            .build();

    // mutable, confined to the test
    private ScriptedOrigin origin;
    private Callers callers;

    @BeforeEach
    void open() throws IOException {
        origin = ScriptedOrigin.start();
        callers = new Callers();
    }

    @AfterEach
    void close() throws IOException {
        callers.close();
        origin.close();
    }

    private static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
    }

    /** A client whose requests join calls in flight. */
    private static HttpClient collapsing(HttpClient client) {
        return new CollapseHttpClient(client, everything().build(), IN_FLIGHT);
    }

    private static HttpClient collapsing() {
        return collapsing(JdkClients.PLAIN);
    }

    /** A client of which a lone caller cannot be joined. */
    private static HttpClient fresh() {
        return new CollapseHttpClient(JdkClients.PLAIN, everything().build());
    }

    private static HttpClient over(WatchedClient watched) {
        return new CollapseHttpClient(watched, everything().build(), IN_FLIGHT, null);
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(origin.uri("/a"));
    }

    private HttpRequest get() {
        return request().build();
    }

    private CompletableFuture<HttpResponse<String>> sendAsync(HttpClient client) {
        return client.sendAsync(get(), BodyHandlers.ofString());
    }

    private static <T> T valueOf(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            throw new AssertionError("Expected a failure, got " + valueOf(future));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

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

    /** A reader that never ends by itself, and tells of its failure. */
    private static class Reader implements HttpResponse.BodySubscriber<String> {

        final CountDownLatch begun = new CountDownLatch(1);
        final CompletableFuture<Throwable> failure = new CompletableFuture<>();

        @Override
        public CompletionStage<String> getBody() {
            return new CompletableFuture<>();
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            begun.countDown();
        }

        @Override
        public void onError(Throwable throwable) {
            failure.complete(throwable);
        }

        @Override
        public void onComplete() {}
    }

    @Test
    void sendAndSendAsyncShareOneExchange() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        Caller<HttpResponse<String>> leader = callers.start(() -> client.send(get(), BodyHandlers.ofString()));
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        hold.release();
        assertThat(leader.get().body()).isEqualTo("/a");
        assertThat(valueOf(follower).body()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H11_aWriteByOneWayKeepsReadsByTheOtherApart() throws Exception {
        HttpClient client = collapsing();
        HttpRequest post = request().POST(BodyPublishers.ofString("x")).build();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> early = sendAsync(client);
        hold.await(1);
        origin.holdNoMore();
        client.send(post, BodyHandlers.ofString());
        Hold after = origin.hold();
        CompletableFuture<HttpResponse<String>> late = sendAsync(client);
        after.await(1);
        origin.holdNoMore();
        valueOf(client.sendAsync(post, BodyHandlers.ofString(), (asked, pushed, acceptor) -> {}));
        Hold last = origin.hold();
        CompletableFuture<HttpResponse<String>> latest = sendAsync(client);
        last.await(1);
        List.of(hold, after, last).forEach(Hold::release);
        valueOf(CompletableFuture.allOf(early, late, latest));
        assertThat(origin.requests())
                .extracting(OriginRequest::method)
                .containsExactly("GET", "POST", "GET", "POST", "GET");
    }

    @Test
    void H23_theLastCallerToLeaveCancelsTheExchange() throws Exception {
        WatchedClient watched = new WatchedClient(JdkClients.PLAIN);
        HttpClient client = over(watched);
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        leader.cancel(true);
        assertThat(watched.promised().get(0)).isNotDone();
        follower.cancel(true);
        await().untilAsserted(() -> assertThat(watched.promised().get(0)).isDone());
        origin.holdNoMore();
        assertThat(valueOf(sendAsync(client)).body()).isEqualTo("/a");
        hold.release();
    }

    @Test
    void H23_aCallerThatCancelsInMidBodyEndsItsReaderAndTheExchange() throws Exception {
        origin.answer(request -> OriginReply.ok("half").stalled());
        Reader reader = new Reader();
        CompletableFuture<HttpResponse<String>> caller = fresh().sendAsync(get(), info -> reader);
        assertThat(reader.begun.await(30, TimeUnit.SECONDS)).isTrue();
        caller.cancel(true);
        assertThat(valueOf(reader.failure)).isInstanceOf(IOException.class);
    }

    @Test
    void H24_anInterruptOfAFollowersThreadEndsItAlone() throws Exception {
        WatchedClient watched = new WatchedClient(JdkClients.PLAIN);
        HttpClient client = over(watched);
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        Caller<HttpResponse<String>> follower = callers.start(() -> client.send(get(), BodyHandlers.ofString()));
        await().until(() -> follower.thread().getState() == Thread.State.WAITING);
        follower.thread().interrupt();
        assertThat(follower.failure()).isInstanceOf(InterruptedException.class);
        assertThat(leader).isNotDone();
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/a");
        assertThat(watched.promised()).hasSize(1);
    }

    @Test
    void H25_aRequestsOwnTimeoutEndsItAlone() throws Exception {
        HttpClient client = collapsing();
        HttpRequest hurried = request().timeout(Duration.ofMillis(100)).build();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = client.sendAsync(hurried, BodyHandlers.ofString());
        hold.await(1);
        CompletableFuture<HttpResponse<String>> patient = sendAsync(client);
        assertThat(failureOf(leader)).isInstanceOf(HttpTimeoutException.class).hasMessage("request timed out");
        assertThatThrownBy(() -> client.send(hurried, BodyHandlers.ofString()))
                .isInstanceOf(HttpTimeoutException.class);
        assertThat(patient).isNotDone();
        hold.release();
        assertThat(valueOf(patient).body()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H25_aTimeoutThatDoesNotPassChangesNothing() throws Exception {
        HttpRequest request = request().timeout(Duration.ofDays(1_000_000_000L)).build();
        HttpResponse<String> response = collapsing().send(request, BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("/a");
        assertThat(response.request()).isSameAs(request);
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

    private static HttpClient.Builder following() {
        return HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS);
    }

    private void redirect(int status, String name, String value) {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(status, "Moved", "").with("Location", "/b").with(name, value)
                : OriginReply.ok(request.target()));
    }

    @Test
    void H19_aPermanentRedirectIsSharedAndEachHasItsOwnRequest() throws Exception {
        redirect(301, "X-Some", "1");
        HttpClient client = collapsing(following().build());
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        HttpRequest asked = request().header("traceparent", "two").build();
        CompletableFuture<HttpResponse<String>> follower = client.sendAsync(asked, BodyHandlers.ofString());
        origin.holdNoMore();
        hold.release();
        valueOf(leader);
        HttpResponse<String> response = valueOf(follower);
        assertThat(response.body()).isEqualTo("/b");
        assertThat(response.uri()).isEqualTo(origin.uri("/b"));
        assertThat(response.request().uri()).isEqualTo(origin.uri("/b"));
        assertThat(response.request().headers().firstValue("traceparent")).contains("two");
        HttpResponse<String> prior = response.previousResponse().orElseThrow();
        assertThat(prior.statusCode()).isEqualTo(301);
        assertThat(prior.headers().firstValue("X-Some")).contains("1");
        assertThat(prior.request()).isSameAs(asked);
        assertThat(prior.body()).isNull();
        assertThat(origin.requests()).hasSize(2);
    }

    private void assertRedirectNotShared(HttpClient client) throws Exception {
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        origin.holdNoMore();
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/b");
        assertThat(valueOf(follower).body()).isEqualTo("/b");
        assertThat(origin.requests()).hasSize(4);
    }

    @Test
    void H19_aResponseThatCameByATemporaryRedirectIsNotShared() throws Exception {
        redirect(302, "X-Some", "1");
        assertRedirectNotShared(collapsing(following().build()));
    }

    @Test
    void H19_aResponseThatCameByARedirectForOneIsNotShared() throws Exception {
        redirect(301, "Cache-Control", "private");
        assertRedirectNotShared(collapsing(following().build()));
    }

    @Test
    void H19_aRedirectWithCookiesIsNotShared() throws Exception {
        redirect(301, "X-Some", "1");
        assertRedirectNotShared(
                collapsing(following().cookieHandler(new CookieManager()).build()));
    }

    @Test
    void H05_cookiesOfAHandlerArePartOfTheKey() throws Exception {
        CookieManager cookies = new CookieManager();
        HttpClient client =
                collapsing(HttpClient.newBuilder().cookieHandler(cookies).build());
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> before = sendAsync(client);
        hold.await(1);
        HttpCookie user = new HttpCookie("user", "one");
        user.setPath("/");
        user.setVersion(0);
        cookies.getCookieStore().add(origin.uri("/"), user);
        CompletableFuture<HttpResponse<String>> after = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> joined = sendAsync(client);
        hold.release();
        assertThat(valueOf(before).body()).isEqualTo("null");
        assertThat(valueOf(after).body()).isEqualTo("user=one");
        assertThat(valueOf(joined).body()).isEqualTo("user=one");
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H39_aCookieHandlerThatFailsDoesSoAsWithoutCollapsing() throws Exception {
        HttpClient plain = HttpClient.newBuilder()
                .cookieHandler(new CookieHandler() {
                    @Override
                    public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers)
                            throws IOException {
                        throw new IOException("no cookies");
                    }

                    @Override
                    public void put(URI uri, Map<String, List<String>> headers) {}
                })
                .build();
        try (Warnings warnings = new Warnings()) {
            assertThatThrownBy(() -> collapsing(plain).send(get(), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no cookies");
            assertThat(warnings.messages()).singleElement().asString().contains("CookieHandler");
        }
    }

    @Test
    void H09_aRequestThatExpectsToContinueIsSentByItself() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> plain = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> expecting =
                client.sendAsync(request().expectContinue(true).build(), BodyHandlers.ofString());
        hold.await(1);
        expecting.cancel(true); // the origin is none that tells a client to continue
        hold.release();
        assertThat(valueOf(plain).body()).isEqualTo("/a");
    }

    @Test
    void H09_aRequestWithABodyIsSentByItself() throws Exception {
        HttpClient client = collapsing();
        HttpRequest asking =
                request().method("GET", BodyPublishers.ofString("question")).build();
        assertApart(
                () -> client.sendAsync(get(), BodyHandlers.ofString()),
                () -> client.sendAsync(asking, BodyHandlers.ofString()));
    }

    @Test
    void aRequestWithAPushPromiseHandlerIsSentByItself() throws Exception {
        HttpClient client = collapsing();
        try (Warnings warnings = new Warnings()) {
            assertApart(
                    () -> client.sendAsync(get(), BodyHandlers.ofString(), null),
                    () -> client.sendAsync(get(), BodyHandlers.ofString(), (asked, pushed, acceptor) -> {}));
            assertThat(warnings.messages()).singleElement().asString().contains("PushPromiseHandler");
        }
    }

    private interface Sending {
        CompletableFuture<HttpResponse<String>> send();
    }

    /** Both are at the origin at the same time. */
    private void assertApart(Sending first, Sending second) throws Exception {
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> one = first.send();
        hold.await(1);
        CompletableFuture<HttpResponse<String>> other = second.send();
        hold.await(1);
        hold.release();
        assertThat(valueOf(one).statusCode()).isEqualTo(200);
        assertThat(valueOf(other).statusCode()).isEqualTo(200);
    }

    @Test
    void H35_requestsOfTwoClientsDoNotShare() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
        Hold hold = origin.hold();
        for (HttpClient client : List.of(collapsing(), collapsing())) {
            responses.add(sendAsync(client));
            hold.await(1);
            responses.add(sendAsync(client));
        }
        hold.release();
        for (CompletableFuture<HttpResponse<String>> response : responses) {
            assertThat(valueOf(response).body()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H36_aClientThatMayStillChangeARequestIsNotCollapsed() throws Exception {
        HttpClient client = collapsing(new WatchedClient(JdkClients.PLAIN));
        try (Warnings warnings = new Warnings()) {
            Hold hold = origin.hold();
            List<CompletableFuture<HttpResponse<String>>> responses = List.of(sendAsync(client), sendAsync(client));
            hold.await(2);
            hold.release();
            for (CompletableFuture<HttpResponse<String>> response : responses) {
                assertThat(valueOf(response).body()).isEqualTo("/a");
            }
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains(WatchedClient.class.getName(), "have it wrap the CollapseHttpClient");
        }
    }

    @Test
    void H22_failuresKeepTheTypeThatTheClientThrows() throws Exception {
        URI noTls = URI.create(origin.uri("/a").toString().replace("http:", "https:"));
        HttpClient client = collapsing();
        try (RefusedAddress nobody = new RefusedAddress()) {
            HttpRequest refused =
                    HttpRequest.newBuilder(URI.create(nobody.url("/a"))).build();
            for (int i = 0; i < 2; i++) {
                assertThat(failureOf(client.sendAsync(refused, BodyHandlers.ofString())))
                        .isInstanceOf(ConnectException.class);
                assertThatThrownBy(() -> client.send(refused, BodyHandlers.ofString()))
                        .isInstanceOf(ConnectException.class);
                assertThatThrownBy(
                                () -> client.send(HttpRequest.newBuilder(noTls).build(), BodyHandlers.ofString()))
                        .isInstanceOf(SSLException.class);
            }
        }
    }

    @Test
    void aRequestTooManyFailsLikeARequestThatCannotBeSent() throws Exception {
        HttpClient client = new CollapseHttpClient(
                JdkClients.PLAIN,
                everything().build(),
                IN_FLIGHT.toBuilder().maxPending(1).build());
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        assertThat(failureOf(sendAsync(client))).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> client.send(get(), BodyHandlers.ofString()))
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(RejectedExecutionException.class);
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/a");
    }

    @Test
    void sendFailsAsTheClientDoesIfAHandlerThrows() {
        BodyHandler<String> illegal = info -> {
            throw new IllegalArgumentException("handler");
        };
        BodyHandler<String> broken = info -> {
            throw new IllegalStateException("handler");
        };
        for (HttpClient client : List.of(JdkClients.PLAIN, fresh())) {
            assertThatThrownBy(() -> client.send(get(), illegal)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.send(get(), broken))
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void H39_threadsThatRefuseFailTheCaller() throws Exception {
        Executor refusing = task -> {
            throw new RejectedExecutionException("full");
        };
        HttpClient client = over(new WatchedClient(JdkClients.PLAIN) {
            @Override
            public Optional<Executor> executor() {
                return Optional.of(refusing);
            }
        });
        assertThat(failureOf(sendAsync(client))).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whatTheWrappedClientIsConfiguredForIsShown() {
        HttpClient plain = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .connectTimeout(Duration.ofSeconds(7))
                .executor(Runnable::run)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        HttpClient client = collapsing(plain);
        assertThat(client.cookieHandler()).isEqualTo(plain.cookieHandler());
        assertThat(client.connectTimeout()).contains(Duration.ofSeconds(7));
        assertThat(client.executor()).isEqualTo(plain.executor());
        assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(client.followRedirects()).isEqualTo(plain.followRedirects());
        assertThat(client.proxy()).isEqualTo(plain.proxy());
        assertThat(client.authenticator()).isEmpty();
        assertThat(client.sslContext()).isSameAs(plain.sslContext());
        assertThat(client.sslParameters().getProtocols())
                .isEqualTo(plain.sslParameters().getProtocols());
        assertThat(client.newWebSocketBuilder()).isNotNull();
    }

    /** {@code HttpClient} has these methods since Java 21, and its {@code close()} calls them. */
    @Test
    void closingClosesTheWrappedClient() throws Exception {
        HttpClient plain = HttpClient.newHttpClient();
        CollapseHttpClient client = new CollapseHttpClient(plain, everything().build());
        if (Runtime.version().feature() < 21) {
            assertThatThrownBy(client::shutdown)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Java 21");
            return;
        }
        assertThat(client.isTerminated()).isFalse();
        closeOf(client);
        assertThat(client.isTerminated()).isTrue();
        assertThat(client.awaitTermination(Duration.ofSeconds(1))).isTrue();
        client.shutdownNow();
        assertThatThrownBy(() -> plain.send(get(), BodyHandlers.ofString())).isInstanceOf(IOException.class);
    }

    private static void closeOf(@Nullable Object client) throws Exception {
        ((AutoCloseable) client).close();
    }
}
