package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;

/** A filter that stands behind the collapsing one, say because neither of them has an order. */
class FilterBehindTests {

    /** Refuses by what is no part of the key. */
    private static final WebFilter NO_ROBOTS = (exchange, chain) -> {
        if ("robot".equals(exchange.getRequest().getHeaders().getFirst("User-Agent"))) {
            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
            return exchange.getResponse().setComplete();
        }
        return chain.filter(exchange);
    };

    private static CollapseWebFilter.Builder collapsing() {
        return CollapseWebFilter.builder(HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .build())
                .core(Callers.IN_FLIGHT);
    }

    /** Returns the status that a robot gets which comes while a person's request is under way, and how often the handler ran. */
    private static String statusOfTheRobot(CollapseWebFilter collapsing, WebFilter... behind) throws Exception {
        CompletableFuture<Void> released = new CompletableFuture<>();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger arrivals = new AtomicInteger();
        WebHttpHandlerBuilder builder = WebHttpHandlerBuilder.webHandler(exchange -> {
                    runs.incrementAndGet();
                    return Mono.fromFuture(released, true)
                            .then(Mono.defer(() -> HeldHandler.write(exchange, "for persons")));
                })
                .filter((exchange, chain) -> HeldHandler.submitting(chain.filter(exchange), arrivals))
                .filter(collapsing)
                .filters(filters -> filters.addAll(List.of(behind)));
        try (ReactiveServer server = ReactiveServer.Make.NETTY.start(builder.build());
                RawClient person =
                        RawClient.send(server.port(), HeldHandler.get().with("User-Agent", "person"))) {
            HeldHandler.await(() -> runs.get() == 1);
            try (RawClient robot =
                    RawClient.send(server.port(), HeldHandler.get().with("User-Agent", "robot"))) {
                HeldHandler.await(() -> arrivals.get() == 2);
                released.complete(null);
                assertThat(person.response("GET").body()).isEqualTo("for persons");
                return robot.response("GET").status() + " " + runs;
            }
        }
    }

    @Test
    void H36_withAFilterBehindNothingIsShared() throws Exception {
        assertThat(statusOfTheRobot(collapsing().build(), NO_ROBOTS)).isEqualTo("403 1");
    }

    /** Spring HATEOAS registers one, without an order. */
    @Test
    void H36_aFilterBehindThatOnlyShowsTheHandlerItsExchangeDoesNotCount() throws Exception {
        WebFilter showing = new ServerWebExchangeContextFilter();
        assertThat(statusOfTheRobot(collapsing().build(), showing)).isEqualTo("200 1");
        assertThat(statusOfTheRobot(collapsing().build(), showing, NO_ROBOTS)).isEqualTo("403 1");
    }

    /** An application that names the place has chosen what stands behind. */
    @Test
    void H36_aFilterBehindAPlaceThatWasNamedRunsForTheLeaderOnly() throws Exception {
        assertThat(statusOfTheRobot(collapsing().order(0).build(), NO_ROBOTS)).isEqualTo("200 1");
    }
}
