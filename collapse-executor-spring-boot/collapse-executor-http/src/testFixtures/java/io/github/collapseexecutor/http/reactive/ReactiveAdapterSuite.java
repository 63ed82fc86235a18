package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.ClientHttpResponseDecorator;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.LoopResources;
import reactor.util.context.Context;

/** What only the adapters of WebClient promise to callers: laziness, contexts, cancellation, exceptions. */
abstract class ReactiveAdapterSuite extends ReactiveFixture {

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

    /** Reactor Netty follows it by itself, so that only it has seen for whom it was. */
    @Test
    void H15_aResponseThatCameByARedirectIsNotShared() throws Exception {
        WebClient client =
                client(everything(CollapsePolicy.strict()), HttpClient.create().followRedirect(true));
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(302, "Found", "")
                        .with("Location", origin.uri("/b").toString())
                : OriginReply.ok(request.target()));
        Hold hold = origin.hold();
        CompletableFuture<String> leader = get(client).toFuture();
        CompletableFuture<String> follower = get(client).toFuture();
        hold.await(1);
        origin.holdNoMore();
        hold.release();
        assertThat(await(leader)).isEqualTo("/b");
        assertThat(await(follower)).isEqualTo("/b");
        assertThat(origin.requests())
                .filteredOn(request -> request.target().equals("/b"))
                .hasSize(2);
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

    /** Its length does not fit the body, so that the leader gets what it has collected. */
    @Test
    void H39_aBodyWithoutBytesHasNoBuffer() throws Exception {
        ClientHttpConnector netty = new ReactorClientHttpConnector();
        ClientHttpConnector withoutBodies =
                (method, uri, callback) -> netty.connect(method, uri, callback).map(ReactiveAdapterSuite::withoutBody);
        WebClient client =
                clientOver(withoutBodies, everything(CollapsePolicy.strict()).build(), IN_FLIGHT);
        Hold hold = origin.hold();
        List<CompletableFuture<Optional<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            answers.add(get(client)
                    .map(Optional::of)
                    .defaultIfEmpty(Optional.empty())
                    .toFuture());
        }
        hold.release();
        assertThat(await(answers.get(0))).isEmpty();
        assertThat(await(answers.get(1))).isEmpty();
    }

    private static ClientHttpResponse withoutBody(ClientHttpResponse response) {
        return new ClientHttpResponseDecorator(response) {
            @Override
            public Flux<DataBuffer> getBody() {
                return super.getBody()
                        .doOnNext(DataBufferUtils::release)
                        .ignoreElements()
                        .flux();
            }
        };
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
}
