package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Responses that only the client of the leader gets: cookies, sessions, trailers, and those that are sent past the filter. */
@OnEachLine
class ResponseForOneOnlyTests {

    @Test
    void H18_aCookieIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            exchange.getResponse()
                    .addCookie(ResponseCookie.from("id", exchange.getRequest().getId())
                            .build());
            return HeldHandler.write(exchange, "body");
        })) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(response -> response.header("Set-Cookie"))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void H18_aStrippedCookieStaysWithTheLeader() throws Exception {
        CollapsePolicy strips =
                CollapsePolicy.named("strips").strict(true).stripSetCookie(true).build();
        try (HeldHandler server = new Setting().by(strips).start(exchange -> {
            exchange.getResponse().addCookie(ResponseCookie.from("id", "leader").build());
            exchange.getResponse().getHeaders().add("Set-Cookie", "header=leader");
            return HeldHandler.write(exchange, "body");
        })) {
            assertThat(server.assertShared(HeldHandler.get()))
                    .filteredOn(response -> !response.header("Set-Cookie").isEmpty())
                    .hasSize(1);
        }
    }

    @Test
    void H18_aSessionThatTheHandlerBeginsIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getSession().flatMap(session -> {
                    session.getAttributes().put("key", "value");
                    return HeldHandler.write(exchange, "body");
                }))) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(response -> response.header("Set-Cookie").toString())
                    .allMatch(cookie -> cookie.contains("SESSION="))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aSessionThatIsOnlyLookedAtDoesNotMatter() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getSession().flatMap(session -> HeldHandler.write(exchange, "body")))) {
            server.assertShared(HeldHandler.get());
        }
    }

    @Test
    void H38_aStreamIsForOneOnlyAndSaidToBeOne() throws Exception {
        Queue<Reason> reasons = new ConcurrentLinkedQueue<>();
        HttpCollapseListener listener = new HttpCollapseListener() {
            @Override
            public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
                reasons.add(reason);
            }
        };
        try (HeldHandler server = new Setting()
                .sharing(HttpCollapseOptions.builder().listener(listener))
                .start(exchange -> {
                    exchange.getResponse().getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
                    return exchange.getResponse()
                            .writeAndFlushWith(Flux.just(Mono.just(HeldHandler.buffer(exchange, "data: a\n\n"))));
                })) {
            assertThat(server.assertForwarded(HeldHandler.get())).hasSize(1 + HeldHandler.FOLLOWERS);
        }
        assertThat(reasons).containsOnly(Reason.STREAM);
    }

    @Test
    void theServersOwnResponseIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            Object own = ((AbstractServerHttpResponse) exchange.getResponse()).getNativeResponse();
            return HeldHandler.write(exchange, own == null ? "none" : "body");
        })) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allMatch(response -> response.body().equals("body"));
        }
    }

    @Test
    void aResponseThatTheHandlerSendsByTheResponseOfAFilterIsForOneOnly() throws Exception {
        WebFilter keeps = (exchange, chain) -> {
            exchange.getAttributes().put("own", exchange.getResponse());
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(keeps).start(exchange -> {
            ServerHttpResponse own = exchange.getRequiredAttribute("own");
            own.setStatusCode(HttpStatus.GONE);
            return own.setComplete().then(Mono.defer(() -> HeldHandler.write(exchange, "too late")));
        })) {
            assertThat(server.assertForwarded(HeldHandler.get())).allMatch(response -> response.status() == 410);
        }
    }

    @Test
    void H29_announcedTrailersAreForOneOnly() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            exchange.getResponse().getHeaders().set("Trailer", "X-Sum");
            return HeldHandler.write(exchange, "body");
        })) {
            server.assertForwarded(HeldHandler.get());
        }
    }
}
