package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;

/** Clients that leave, run out of time, or are too many. */
@OnEachLine
class LeavingClientsTests {

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H23_aLeaderThatLeavesDoesNotEndTheHandler(ReactiveServer.Make make) throws Exception {
        try (HeldHandler server = new Setting()
                .on(make)
                .start(exchange -> HeldHandler.write(
                        exchange,
                        exchange.getRequest().getHeaders().getFirst("X-Of")
                                + exchange.getRequest().getPath()))) {
            List<RawClient> all = server.gathered(HeldHandler.get().with("X-Of", "leader"));
            all.get(0).close();
            if (make == ReactiveServer.Make.NETTY) { // Tomcat notices when it writes
                HeldHandler.await(() -> server.left.get() == 1);
            }
            List<Response> responses = server.responses(HeldHandler.get(), all.subList(1, all.size()));
            assertThat(responses).allMatch(response -> response.body().equals("leader/a"));
            assertThat(server.runs).hasValue(1);
            assertThat(server.cancelled).hasValue(0);
        }
    }

    @Test
    void H23_theHandlerIsCancelledWhenTheLastClientLeaves() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> HeldHandler.write(exchange, "body"))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            for (RawClient client : all) {
                client.close();
            }
            HeldHandler.await(() -> server.cancelled.get() == 1);
            RawClient later = server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
            server.release();
            assertThat(later.response("GET").body()).isEqualTo("body");
        }
    }

    /** A broken connection, for example, which the handler meets when its client has left already: Reactor would log it as an error. */
    @Test
    void H23_aHandlerThatFailsWhenItsClientHasLeftFailsForNobody() {
        AtomicReference<CoreSubscriber<? super Void>> handler = new AtomicReference<>();
        Mono<Void> held = new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Void> subscriber) {
                subscriber.onSubscribe(Operators.emptySubscription());
                handler.set(subscriber);
            }
        };
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        CollapseWebFilter filter = new CollapseWebFilter(http, Callers.IN_FLIGHT);
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        IOException failure = new IOException("Broken pipe");
        Hooks.onErrorDropped(dropped::add);
        try {
            Disposable client = filter.filter(
                            MockServerWebExchange.from(MockServerHttpRequest.get("/a")), exchange -> held)
                    .subscribe();
            client.dispose();
            handler.get().onError(failure);
        } finally {
            Hooks.resetOnErrorDropped();
        }
        assertThat(dropped).doesNotContain(failure);
    }

    /** Reactor interrupts the thread of what is cancelled; on that of the handler, the others are being answered. */
    @Test
    void H23_aLeaderThatLeavesWhileOthersAreAnsweredDoesNotInterruptThem() {
        CompletableFuture<String> body = new CompletableFuture<>();
        WebFilterChain chain = exchange -> {
            ServerHttpResponse response = exchange.getResponse();
            return response.writeWith(Flux.from(Mono.fromFuture(body))
                    .publishOn(Schedulers.parallel())
                    .map(text -> response.bufferFactory().wrap(text.getBytes(StandardCharsets.UTF_8))));
        };
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        CollapseWebFilter filter = new CollapseWebFilter(http, Callers.IN_FLIGHT);
        Disposable leader = filter.filter(MockServerWebExchange.from(MockServerHttpRequest.get("/a")), chain)
                .subscribe();
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        MockServerWebExchange follower = MockServerWebExchange.from(MockServerHttpRequest.get("/a"));
        CompletableFuture<Void> answered = filter.filter(
                        follower.mutate()
                                .response(new ServerHttpResponseDecorator(follower.getResponse()) {
                                    @Override
                                    public Mono<Void> writeWith(Publisher<? extends DataBuffer> written) {
                                        CompletableFuture.runAsync(leader::dispose)
                                                .join();
                                        interrupted.add(Thread.currentThread().isInterrupted());
                                        return super.writeWith(written);
                                    }
                                })
                                .build(),
                        chain)
                .toFuture();
        body.complete("body");
        answered.join();
        assertThat(interrupted).containsExactly(false);
        assertThat(follower.getResponse().getBodyAsString().block()).isEqualTo("body");
    }

    /** As behind a filter that looks something up on a thread of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H23_aHandlerThatIsInterruptedWithItsClientFailsForNobodyElse(boolean inTheBody) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Runnable work = () -> {
            if (runs.incrementAndGet() == 1) {
                entered.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("The handler was interrupted", e);
                }
            }
        };
        WebFilterChain chain = exchange -> {
            ServerHttpResponse response = exchange.getResponse();
            Flux<DataBuffer> body = Flux.just(response.bufferFactory().wrap("body".getBytes(StandardCharsets.UTF_8)));
            if (inTheBody) {
                return response.writeWith(Flux.concat(body, Mono.fromRunnable(work)));
            }
            work.run();
            return response.writeWith(body);
        };
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        CollapseWebFilter filter = new CollapseWebFilter(http, Callers.IN_FLIGHT);
        Disposable leader = filter.filter(MockServerWebExchange.from(MockServerHttpRequest.get("/a")), chain)
                .subscribeOn(Schedulers.boundedElastic())
                .subscribe();
        entered.await();
        MockServerWebExchange follower = MockServerWebExchange.from(MockServerHttpRequest.get("/a"));
        CompletableFuture<Void> answered = filter.filter(follower, chain).toFuture();
        leader.dispose();
        answered.join();
        assertThat(follower.getResponse().getBodyAsString().block()).isEqualTo("body");
        assertThat(runs).hasValue(2);
    }

    @Test
    void H24_aFollowerThatLeavesAffectsNobody() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> HeldHandler.write(exchange, "body"))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            all.get(3).close();
            all.remove(3);
            assertThat(server.responses(HeldHandler.get(), all))
                    .allMatch(response -> response.body().equals("body"));
            assertThat(server.runs).hasValue(1);
            assertThat(server.cancelled).hasValue(0);
        }
    }

    @Test
    void H25_aRequestWhoseTimeIsOverGets503() throws Exception {
        CollapseOptions impatient = Callers.IN_FLIGHT.toBuilder()
                .callTimeout(Duration.ofMillis(300))
                .build();
        try (HeldHandler server =
                new Setting().gathering(impatient).start(exchange -> HeldHandler.write(exchange, "body"))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            for (RawClient client : all) {
                assertThat(client.response("GET").status()).isEqualTo(503);
            }
            HeldHandler.await(() -> server.cancelled.get() >= 1);
        }
    }

    @Test
    void tooManyRequestsGet503() throws Exception {
        CollapseOptions small = Callers.IN_FLIGHT.toBuilder().maxPending(1).build();
        try (HeldHandler server =
                new Setting().gathering(small).start(exchange -> HeldHandler.write(exchange, "body"))) {
            RawClient first = server.arrived(HeldHandler.get());
            assertThat(server.send(HeldHandler.get()).response("GET").status()).isEqualTo(503);
            server.release();
            assertThat(first.response("GET").body()).isEqualTo("body");
        }
    }
}
