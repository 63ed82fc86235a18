package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.micrometer.context.ContextRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** A call carries the context of its subscriber, and never what another request has left on an event loop. */
class LeftoverContextTests extends OriginFixture {

    private static final String KEY = LeftoverContextTests.class.getName();
    private static final String NOTHING = "nothing";

    private final ThreadLocal<@Nullable String> local = new ThreadLocal<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Scheduler eventLoop = Schedulers.newSingle("event-loop");

    @BeforeEach
    void register() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, local);
    }

    @AfterEach
    void remove() {
        ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
        eventLoop.dispose();
    }

    /** What the thread-local is while a request is sent, by both ways of collapsing. */
    private List<WebClient> clients() {
        ClientHttpConnector transport = new ReactorClientHttpConnector();
        ClientHttpConnector looking = (method, uri, write) -> {
            String value = local.get();
            seen.add(value == null ? NOTHING : value);
            return transport.connect(method, uri, write);
        };
        CollapseOptions carrying = CollapseOptions.defaults().toBuilder()
                .contextCarrier(PropagatedContext.ofFirstCaller())
                .build();
        return List.of(
                WebClient.builder()
                        .clientConnector(new CollapseClientHttpConnector(
                                looking, everything().build(), carrying))
                        .build(),
                WebClient.builder()
                        .clientConnector(looking)
                        .filter(new CollapseExchangeFilterFunction(everything().build(), carrying))
                        .build());
    }

    private Mono<String> get(WebClient client) {
        return client.get().uri(origin.uri("/a")).retrieve().bodyToMono(String.class);
    }

    @Test
    void aCallOnAnEventLoopDoesNotCarryWhatAnotherRequestLeftThere() {
        Mono.fromRunnable(() -> local.set("another's")).subscribeOn(eventLoop).block(Duration.ofSeconds(30));
        for (WebClient client : clients()) {
            assertThat(get(client).subscribeOn(eventLoop).block(Duration.ofSeconds(30)))
                    .isEqualTo("/a");
        }
        assertThat(seen).containsExactly(NOTHING, NOTHING);
        assertThat(Mono.fromCallable(local::get).subscribeOn(eventLoop).block(Duration.ofSeconds(30)))
                .as("what stands there is not ours to remove")
                .isEqualTo("another's");
    }

    @Test
    void aCallOnAnEventLoopCarriesTheContextOfItsSubscriber() {
        for (WebClient client : clients()) {
            get(client)
                    .contextWrite(Context.of(KEY, "own"))
                    .subscribeOn(eventLoop)
                    .block(Duration.ofSeconds(30));
        }
        assertThat(seen).containsExactly("own", "own");
    }

    @Test
    void aCallerThatBlocksItsOwnThreadCarriesItsThreadLocals() throws Exception {
        FutureTask<Boolean> caller = new FutureTask<>(() -> {
            local.set("own");
            clients().forEach(client -> get(client).block(Duration.ofSeconds(30)));
            return true;
        });
        new Thread(caller, "caller").start();
        assertThat(caller.get()).isTrue();
        assertThat(seen).containsExactly("own", "own");
    }
}
