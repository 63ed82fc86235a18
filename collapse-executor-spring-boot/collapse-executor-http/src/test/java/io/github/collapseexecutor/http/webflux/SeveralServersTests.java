package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscriber;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;

/**
 * One filter may stand in the chains of several servers: Spring Boot gives the filters of an application to its management server, too,
 * which has a port and handlers of its own.
 */
class SeveralServersTests {

    // immutable
    private final CollapseWebFilter filter =
            new CollapseWebFilter(HttpCollapseOptions.forPaths("/**"), Callers.IN_FLIGHT);
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    // mutable, thread-safe
    private final AtomicInteger submitted = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    private HttpHandler handler(String body) {
        return WebHttpHandlerBuilder.webHandler(exchange -> {
                    runs.incrementAndGet();
                    return Mono.fromFuture(released, true).then(Mono.defer(() -> HeldHandler.write(exchange, body)));
                })
                .filter((exchange, chain) -> Mono.from((Subscriber<? super Void> subscriber) -> {
                    chain.filter(exchange).subscribe(subscriber);
                    submitted.incrementAndGet();
                }))
                .filter(filter)
                .build();
    }

    /** A client may name the host and port of the management server to the public one. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H13_requestsOnDifferentPortsShareNoRunWhateverHostTheyName(ReactiveServer.Make make) throws Exception {
        Request request = Request.get(URI.create("http://localhost:8081/report"));
        try (ReactiveServer management = make.start(handler("for operators"));
                ReactiveServer open = make.start(handler("for all"));
                RawClient operator = RawClient.send(management.port(), request)) {
            HeldHandler.await(() -> submitted.get() == 1);
            try (RawClient stranger = RawClient.send(open.port(), request)) {
                HeldHandler.await(() -> submitted.get() == 2);
                assertThat(runs).hasValue(2);
                released.complete(null);
                assertThat(stranger.response("GET").body()).isEqualTo("for all");
                assertThat(operator.response("GET").body()).isEqualTo("for operators");
            }
        }
    }
}
