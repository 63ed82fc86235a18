package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DataBufferWrapper;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.LoopResources;
import reactor.util.context.Context;

/** What only the adapters of WebClient promise: laziness, contexts, cancellation, buffers, exceptions. */
@ExtendWith(NettyLeaks.class)
abstract class ReactiveAdapterSuite {

    private static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .maxWait(Duration.ofMinutes(10))
            .build();

    private final List<String> sentFor = new CopyOnWriteArrayList<>();
    private final CountDownLatch exchangeCancelled = new CountDownLatch(1);
    ScriptedOrigin origin;

    @BeforeEach
    void open() throws IOException {
        origin = ScriptedOrigin.start();
    }

    @AfterEach
    void close() throws IOException {
        origin.close();
    }

    private static HttpCollapseOptions.Builder everything(CollapsePolicy policy) {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(policy, "/**")));
    }

    private WebClient client() {
        return client(everything(CollapsePolicy.strict()), HttpClient.create());
    }

    private WebClient client(HttpCollapseOptions.Builder http, HttpClient transport) {
        return client(http.build(), IN_FLIGHT, new ReactorClientHttpConnector(transport));
    }

    private WebClient client(HttpCollapseOptions http, CollapseOptions core, ClientHttpConnector transport) {
        return clientOver(
                new WatchedConnector(
                        transport,
                        context -> sentFor.add(context.getOrDefault("user", "nobody")),
                        exchangeCancelled::countDown),
                http,
                core);
    }

    /** A client whose requests collapse before they reach a transport. */
    abstract WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core);

    private Mono<String> get(WebClient client) {
        return client.get().uri(origin.uri("/a")).retrieve().bodyToMono(String.class);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @Test
    void nothingIsSentBeforeASubscription() {
        Mono<String> answer = get(client());
        assertThat(sentFor).isEmpty();
        assertThat(answer.block()).isEqualTo("/a");
        assertThat(answer.block()).isEqualTo("/a");
        assertThat(sentFor).hasSize(2);
    }

    @Test
    void aRetryIsARequestAnew() {
        AtomicInteger calls = new AtomicInteger();
        origin.answer(request ->
                calls.incrementAndGet() < 3 ? OriginReply.status(500, "Error", "") : OriginReply.ok("third"));
        assertThat(get(client()).retry(2).block()).isEqualTo("third");
        assertThat(calls).hasValue(3);
    }

    @Test
    void everySubscriberKeepsItsContextAndTheExchangeHasThatOfItsRequest() throws Exception {
        WebClient client = client();
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (String user : List.of("one", "two", "three")) {
            answers.add(get(client)
                    .flatMap(body -> Mono.deferContextual(context -> Mono.just(body + context.get("user"))))
                    .contextWrite(Context.of("user", user))
                    .toFuture());
        }
        hold.release();
        assertThat(await(answers.get(0))).isEqualTo("/aone");
        assertThat(await(answers.get(1))).isEqualTo("/atwo");
        assertThat(await(answers.get(2))).isEqualTo("/athree");
        assertThat(sentFor).containsExactly("one");
    }

    /** All connections share one thread, which also subscribes: were it to wait for anything, nothing would come any more. */
    @Test
    void theOnlyEventLoopIsNeverBlocked() throws Exception {
        LoopResources oneThread = LoopResources.create("only", 1, true);
        try {
            WebClient client = client(
                    everything(CollapsePolicy.strict()), HttpClient.create().runOn(oneThread));
            Hold hold = origin.hold();
            origin.answer(request -> OriginReply.ok("a").with("Cache-Control", "no-store"));
            List<CompletableFuture<String>> answers = new CopyOnWriteArrayList<>();
            CountDownLatch subscribed = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) {
                oneThread.onClient(true).next().execute(() -> {
                    answers.add(get(client).toFuture());
                    subscribed.countDown();
                });
            }
            assertThat(subscribed.await(30, TimeUnit.SECONDS)).isTrue();
            hold.release();
            for (CompletableFuture<String> answer : answers) {
                assertThat(await(answer)).isEqualTo("a");
            }
            assertThat(sentFor).hasSize(20);
        } finally {
            oneThread.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
        }
    }

    @Test
    void H05_requestCookiesKeepUsersApart() throws Exception {
        WebClient client = client(everything(CollapsePolicy.pathOnly()), HttpClient.create());
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (String user : List.of("one", "two")) {
            answers.add(client.get()
                    .uri(origin.uri("/a"))
                    .cookie("session", user)
                    .retrieve()
                    .bodyToMono(String.class)
                    .toFuture());
        }
        hold.await(2);
        hold.release();
        assertThat(await(answers.get(0))).isEqualTo("session=one");
        assertThat(await(answers.get(1))).isEqualTo("session=two");
    }

    @Test
    void H09_aRequestWithABodyIsSentByItself() throws Exception {
        WebClient client = client();
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            answers.add(client.method(HttpMethod.GET)
                    .uri(origin.uri("/a"))
                    .bodyValue("question")
                    .retrieve()
                    .bodyToMono(String.class)
                    .toFuture());
        }
        hold.await(2);
        hold.release();
        assertThat(await(answers.get(0))).isEqualTo(await(answers.get(1)));
    }

    @Test
    void H23_theLastSubscriberToLeaveCancelsTheExchange() throws Exception {
        WebClient client = client();
        Hold hold = origin.hold();
        Disposable leader = get(client).subscribe();
        Disposable follower = get(client).subscribe();
        hold.await(1);
        leader.dispose();
        assertThat(exchangeCancelled.getCount()).isEqualTo(1);
        follower.dispose();
        assertThat(exchangeCancelled.await(30, TimeUnit.SECONDS)).isTrue();
        origin.holdNoMore();
        assertThat(get(client).block(Duration.ofSeconds(30))).isEqualTo("/a");
        hold.release();
        assertThat(sentFor).hasSize(2);
    }

    @Test
    void H25_aTimeoutOfOneSubscriberIsItsOwn() throws Exception {
        WebClient client = client();
        Hold hold = origin.hold();
        CompletableFuture<String> leader = get(client).toFuture();
        hold.await(1);
        assertThat(get(client).timeout(Duration.ofMillis(1)).toFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
        hold.release();
        assertThat(await(leader)).isEqualTo("/a");
    }

    /** The subscriber takes the first buffer of a large body, and then no more: the connection ends, nothing leaks. */
    @Test
    void H27_whoLeavesInTheMiddleOfALargeBodyEndsIt() throws Exception {
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
    void H18_theCookiesOfAStrippedResponseAreTheLeadersOnly() throws Exception {
        CollapsePolicy stripping =
                CollapsePolicy.named("stripping").stripSetCookie(true).build();
        WebClient client = client(everything(stripping), HttpClient.create());
        origin.answer(request -> OriginReply.ok("a").with("Set-Cookie", "session=one"));
        Hold hold = origin.hold();
        List<CompletableFuture<Map<String, List<ResponseCookie>>>> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            answers.add(client.get()
                    .uri(origin.uri("/a"))
                    .exchangeToMono(response -> response.releaseBody()
                            .thenReturn(Map.<String, List<ResponseCookie>>copyOf(response.cookies())))
                    .toFuture());
        }
        hold.release();
        assertThat(await(answers.get(0))).containsOnlyKeys("session");
        assertThat(await(answers.get(1))).isEmpty();
    }

    @Test
    void aFollowersFailureNamesItsOwnRequest() throws Exception {
        WebClient client = client();
        origin.answer(request -> OriginReply.status(404, "Not Found", ""));
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (String trace : List.of("one", "two")) {
            answers.add(client.get()
                    .uri(origin.uri("/a"))
                    .header("traceparent", trace)
                    .retrieve()
                    .bodyToMono(String.class)
                    .onErrorResume(
                            WebClientResponseException.NotFound.class,
                            failure -> Mono.just(failure.getRequest().getMethod()
                                    + failure.getRequest().getURI().getPath()
                                    + failure.getRequest().getHeaders().getFirst("traceparent")
                                    + failure.getRequest().getAttributes().size()))
                    .toFuture());
        }
        hold.release();
        assertThat(await(answers.get(0))).startsWith("GET/aone");
        assertThat(await(answers.get(1))).startsWith("GET/atwo");
        assertThat(sentFor).hasSize(1);
    }

    /** Operators add to the suppressed exceptions of the one that they see: two callers must not meet there. */
    @Test
    void everyCallersExceptionIsItsOwn() throws Exception {
        WebClient client = client(
                everything(CollapsePolicy.strict()).onLeaderFailure(LeaderFailurePolicy.SHARE), HttpClient.create());
        origin.answer(request -> OriginReply.reset());
        Hold hold = origin.hold();
        List<CompletableFuture<WebClientRequestException>> failures = new ArrayList<>();
        for (String trace : List.of("one", "two", "three")) {
            failures.add(client.get()
                    .uri(origin.uri("/a"))
                    .header("traceparent", trace)
                    .retrieve()
                    .bodyToMono(String.class)
                    .map(body -> new WebClientRequestException(
                            new IOException(body), HttpMethod.GET, origin.uri("/a"), new HttpHeaders()))
                    .onErrorResume(WebClientRequestException.class, Mono::just)
                    .toFuture());
        }
        hold.release();
        List<WebClientRequestException> own = new ArrayList<>();
        for (CompletableFuture<WebClientRequestException> failure : failures) {
            own.add(await(failure));
        }
        assertThat(own)
                .doesNotHaveDuplicates()
                .allSatisfy(failure -> assertThat(failure)
                        .hasCauseInstanceOf(IOException.class)
                        .extracting(WebClientRequestException::getMethod)
                        .isEqualTo(HttpMethod.GET));
        assertThat(own)
                .extracting(failure -> failure.getHeaders().getFirst("traceparent"))
                .containsExactly("one", "two", "three");
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
                (method, uri, callback) -> Mono.fromFuture(released, true).flatMap(ready -> response.get()));
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(get(client).toFuture());
        }
        released.complete(true);
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer).failsWithin(Duration.ofSeconds(30));
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
