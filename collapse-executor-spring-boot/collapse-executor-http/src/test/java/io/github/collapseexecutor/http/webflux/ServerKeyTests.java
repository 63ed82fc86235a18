package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import reactor.core.publisher.Mono;

/** Which requests share: their hosts and paths, and the changes between them. */
@OnEachLine
class ServerKeyTests {

    @Test
    void H11_aReadAfterAChangeJoinsNoReadBeforeIt() throws Exception {
        try (HeldHandler server = changing(exchange -> Mono.empty())) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").status()).isEqualTo(200);
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
        }
    }

    @Test
    void H11_aChangeThatIsRefusedChangesNothing() throws Exception {
        try (HeldHandler server =
                changing(exchange -> Mono.error(new ResponseStatusException(HttpStatus.METHOD_NOT_ALLOWED)))) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").status()).isEqualTo(405);
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(1);
        }
    }

    /** A server sends what is written; the client goes on before the handler ends. */
    @Test
    void H11_aReadAfterTheErrorResponseOfAChangeJoinsAReadBeforeIt() throws Exception {
        CompletableFuture<Void> rest = new CompletableFuture<>();
        try (HeldHandler server = changing(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.METHOD_NOT_ALLOWED);
            return HeldHandler.write(exchange, "refused").then(Mono.fromFuture(rest));
        })) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").body()).isEqualTo("refused");
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(1);
        } finally {
            rest.complete(null);
        }
    }

    @Test
    void H11_aReadAfterTheResponseOfAChangeJoinsNoReadBeforeIt() throws Exception {
        CompletableFuture<Void> rest = new CompletableFuture<>();
        try (HeldHandler server =
                changing(exchange -> HeldHandler.write(exchange, "changed").then(Mono.fromFuture(rest)))) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").body()).isEqualTo("changed");
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
        } finally {
            rest.complete(null);
        }
    }

    @Test
    void H11_aChangeThatFailsMayHaveChangedSomething() throws Exception {
        try (HeldHandler server = changing(exchange -> Mono.error(new IllegalStateException("half done")))) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").status()).isEqualTo(500);
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
        }
    }

    @Test
    void H13_aForwardedPrefixDoesNotMakeARequestOneOfAGroup() throws Exception {
        try (HeldHandler server = new Setting()
                .of("/public/*")
                .server(builder -> builder.forwardedHeaderTransformer(new ForwardedHeaderTransformer()))
                .start(exchange -> HeldHandler.write(exchange, "body"))) {
            Request forged = HeldHandler.get("/secret").with("X-Forwarded-Prefix", "/public");
            server.assertApart(forged, forged);
        }
    }

    @Test
    void H13_aForwardedPrefixIsNoPartOfThePathThatPatternsMatch() throws Exception {
        try (HeldHandler server = new Setting()
                .of("/user/*")
                .server(builder -> builder.forwardedHeaderTransformer(new ForwardedHeaderTransformer()))
                .start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertShared(HeldHandler.get("/user/7").with("X-Forwarded-Prefix", "/shop"));
        }
    }

    @Test
    void H13_aRewrittenPathHasToBeInTheGroupToo() throws Exception {
        WebFilter rewrites = (exchange, chain) -> chain.filter(exchange.mutate()
                .request(request ->
                        request.path("/internal" + exchange.getRequest().getPath()))
                .build());
        try (HeldHandler server =
                new Setting().of("/a").behind(rewrites).start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertApart(HeldHandler.get(), HeldHandler.get());
        }
    }

    @Test
    void H02_theHostThatAProxyForwardsIsPartOfTheKey() throws Exception {
        try (HeldHandler server = new Setting()
                .server(builder -> builder.forwardedHeaderTransformer(new ForwardedHeaderTransformer()))
                .start(exchange -> HeldHandler.write(
                        exchange, exchange.getRequest().getURI().getHost()))) {
            assertThat(server.assertApart(
                            HeldHandler.get().with("X-Forwarded-Host", "one.example"),
                            HeldHandler.get().with("X-Forwarded-Host", "other.example")))
                    .extracting(Response::body)
                    .containsExactly("one.example", "other.example");
        }
    }

    private static Request post() {
        return Request.of("POST", URI.create("http://localhost/a"));
    }

    /** Writes do not get to the handler that is held. */
    private static HeldHandler changing(WebHandler change) {
        WebHandlerSwitch behind = new WebHandlerSwitch(change);
        return new Setting()
                .server(builder -> builder.filter(behind))
                .start(exchange -> HeldHandler.write(exchange, "body"));
    }

    /** Stands behind the filter under test. */
    private record WebHandlerSwitch(WebHandler change) implements WebFilter {
        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return exchange.getRequest().getMethod().equals(HttpMethod.POST)
                    ? change.handle(exchange)
                    : chain.filter(exchange);
        }
    }
}
