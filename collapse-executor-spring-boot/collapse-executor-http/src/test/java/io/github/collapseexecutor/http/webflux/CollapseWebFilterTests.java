package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** What one run of the handler writes, as the clients of all get it. */
@OnEachLine
class CollapseWebFilterTests {

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void statusHeadersAndBodyOfTheHandlerReachAll(ReactiveServer.Make make) throws Exception {
        try (HeldHandler server = new Setting().on(make).start(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.NON_AUTHORITATIVE_INFORMATION);
            exchange.getResponse().getHeaders().add("X-One", "a");
            exchange.getResponse().getHeaders().add("X-One", "b");
            return HeldHandler.write(exchange, "body");
        })) {
            assertThat(server.assertShared(HeldHandler.get())).allSatisfy(response -> {
                assertThat(response.status()).isEqualTo(203);
                assertThat(response.header("X-One")).containsExactly("a", "b");
                assertThat(response.header("Content-Length")).containsExactly("4");
            });
        }
    }

    @Test
    void headersThatFiltersInFrontHaveSetStayTheirs() throws Exception {
        WebFilter front = (exchange, chain) -> {
            exchange.getResponse()
                    .getHeaders()
                    .set("X-Id", exchange.getRequest().getId());
            exchange.getResponse().getHeaders().set("X-Removed", "front");
            exchange.getResponse().getHeaders().set("Vary", "Origin");
            exchange.getResponse()
                    .addCookie(
                            ResponseCookie.from("front", exchange.getRequest().getId())
                                    .build());
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(front).start(exchange -> {
            exchange.getResponse().getHeaders().add("Vary", "Accept");
            assertThat(exchange.getResponse()
                            .getHeaders()
                            .headerSet()
                            .removeIf(header -> header.getKey().equals("X-Removed")))
                    .isTrue();
            return HeldHandler.write(exchange, "body");
        })) {
            List<Response> responses = server.assertShared(HeldHandler.get());
            assertThat(responses)
                    .extracting(response -> response.header("X-Id"))
                    .doesNotHaveDuplicates();
            assertThat(responses)
                    .extracting(response -> response.header("Set-Cookie"))
                    .doesNotHaveDuplicates();
            assertThat(responses).allSatisfy(response -> {
                assertThat(response.header("X-Removed")).isEmpty();
                assertThat(response.header("Vary")).containsExactly("Origin", "Accept");
            });
        }
    }

    @Test
    void aHandlerThatWritesNothingIsSharedToo() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
            return Mono.empty();
        })) {
            assertThat(server.assertShared(HeldHandler.get())).allMatch(response -> response.status() == 204);
        }
    }

    @Test
    void anActionThatIsRegisteredForTheCommitRunsOnceForEachResponse() throws Exception {
        AtomicInteger ofHandler = new AtomicInteger();
        AtomicInteger ofFilter = new AtomicInteger();
        WebFilter front = (exchange, chain) -> {
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(() -> {
                        ofFilter.incrementAndGet();
                        exchange.getResponse()
                                .getHeaders()
                                .set("X-Status", "" + exchange.getResponse().getStatusCode());
                    }));
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(front).start(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.GONE);
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(() ->
                            exchange.getResponse().getHeaders().set("X-Handler", "" + ofHandler.incrementAndGet())));
            return exchange.getResponse().setComplete();
        })) {
            assertThat(server.assertShared(HeldHandler.get())).allSatisfy(response -> {
                assertThat(response.header("X-Handler")).containsExactly("1");
                assertThat(response.header("X-Status")).containsExactly("410 GONE");
            });
            assertThat(ofHandler).hasValue(1);
            assertThat(ofFilter).hasValue(1 + HeldHandler.FOLLOWERS);
        }
    }

    @Test
    void H07_aConditionalRequestGets304AndIsShared() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.checkNotModified("\"one\"")
                        ? exchange.getResponse().setComplete()
                        : HeldHandler.write(exchange, "body"))) {
            Request conditional = HeldHandler.get().with("If-None-Match", "\"one\"");
            RawClient plain = server.arrived(HeldHandler.get());
            RawClient same = server.arrived(conditional);
            RawClient another = server.arrived(conditional);
            assertThat(server.runs).as("runs for the two sorts").hasValue(2);
            server.release();
            assertThat(plain.response("GET").status()).isEqualTo(200);
            for (RawClient client : List.of(same, another)) {
                Response response = client.response("GET");
                assertThat(response.status()).isEqualTo(304);
                assertThat(response.header("ETag")).containsExactly("\"one\"");
            }
            assertThat(server.runs)
                    .as("runs for the two sorts, when all have their responses")
                    .hasValue(2);
        }
    }

    @Test
    void H03_aHeadIsSharedWithHeadsAndHasTheLengthOfTheBody() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> HeldHandler.write(exchange, "body"))) {
            Request head = Request.of("HEAD", URI.create("http://localhost/a"));
            assertThat(server.assertShared(head))
                    .allMatch(response -> response.header("Content-Length").equals(List.of("4")));
        }
    }

    @Test
    void H40_filtersOfFollowersSeeTheRouteOfTheLeader() throws Exception {
        String pattern = "org.springframework.web.reactive.HandlerMapping.bestMatchingPattern";
        Queue<Object> seen = new ConcurrentLinkedQueue<>();
        WebFilter looks = (exchange, chain) ->
                chain.filter(exchange).doOnSuccess(end -> seen.add(exchange.getAttributeOrDefault(pattern, "none")));
        try (HeldHandler server = new Setting().behind(looks).start(exchange -> {
            exchange.getAttributes().put(pattern, "/{id}");
            return HeldHandler.write(exchange, "body");
        })) {
            server.assertShared(HeldHandler.get());
            HeldHandler.await(() -> seen.size() == 1 + HeldHandler.FOLLOWERS);
            assertThat(seen).containsOnly("/{id}");
        }
    }

    @Test
    void aFilterThatStandsInTheChainTwiceGathersOnce() throws Exception {
        HttpCollapseOptions all = HttpCollapseOptions.forPaths("/**");
        CollapseWebFilter twice = new CollapseWebFilter(all, Callers.IN_FLIGHT);
        try (HeldHandler server = new Setting()
                .withoutCollapsing()
                .behind(twice, twice)
                .start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.release();
            assertThat(server.send(HeldHandler.get()).response("GET").body()).isEqualTo("body");
        }
    }
}
