package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** What Spring's headers take from a handler does to the requests that share its run what it does to a single one. */
class OddHeadersOfHandlersTests {

    /** How a handler ends that has set the header. */
    enum End {
        UNWRITTEN {
            @Override
            Mono<Void> of(ServerWebExchange exchange) {
                return Mono.empty();
            }
        },
        COMPLETED {
            @Override
            Mono<Void> of(ServerWebExchange exchange) {
                return exchange.getResponse().setComplete();
            }
        },
        WRITTEN {
            @Override
            Mono<Void> of(ServerWebExchange exchange) {
                return HeldHandler.write(exchange, "body");
            }
        };

        abstract Mono<Void> of(ServerWebExchange exchange);
    }

    /** Netty sends such a header without a value; Tomcat closes the connection. */
    @ParameterizedTest
    @EnumSource(End.class)
    void H39_aHeaderWithoutAValueLeavesNoRequestWaiting(End end) throws Exception {
        WebHandler handler = exchange -> {
            exchange.getResponse().getHeaders().add("X-Null", null);
            return end.of(exchange);
        };
        Response alone;
        try (HeldHandler server = new Setting().withoutCollapsing().start(handler)) {
            server.release();
            alone = server.send(HeldHandler.get()).response("GET");
        }
        try (HeldHandler server = new Setting().start(handler)) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            assertThat(server.responses(HeldHandler.get(), all)).allSatisfy(response -> {
                assertThat(response.status()).isEqualTo(alone.status());
                assertThat(response.body()).isEqualTo(alone.body());
                assertThat(response.header("X-Null")).isEqualTo(alone.header("X-Null"));
            });
        }
    }
}
