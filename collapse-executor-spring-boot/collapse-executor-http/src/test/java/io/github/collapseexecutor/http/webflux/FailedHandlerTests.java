package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers that fail before, in or instead of their response. */
@OnEachLine
class FailedHandlerTests {

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H31_aFailureOfTheHandlerIsThatOfAllInsideTheirFilters(ReactiveServer.Make make) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        WebFilter front = (exchange, chain) -> chain.filter(exchange).doOnError(failure -> seen.incrementAndGet());
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(front)
                .start(exchange -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND)))) {
            assertThat(server.assertShared(HeldHandler.get())).allMatch(response -> response.status() == 404);
            HeldHandler.await(() -> seen.get() == 1 + HeldHandler.FOLLOWERS);
        }
    }

    @Test
    void H19_anErrorThatAsksForCredentialsIsForOneOnly() throws Exception {
        try (HeldHandler server =
                new Setting().start(exchange -> Mono.error(new ResponseStatusException(HttpStatus.UNAUTHORIZED)))) {
            assertThat(server.assertForwarded(HeldHandler.get())).allMatch(response -> response.status() == 401);
        }
    }

    @Test
    void H27_aFailureInMidBodyBreaksTheResponsesOfAll() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.concat(
                                Flux.just("a", "b").map(part -> HeldHandler.buffer(exchange, part)),
                                Mono.error(new IllegalStateException("broken")))))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            server.release();
            for (RawClient client : all) {
                assertThatThrownBy(() -> client.response("GET")).isInstanceOf(IOException.class);
            }
            assertThat(server.runs).hasValue(1);
        }
    }

    @Test
    void aHandlerThatGivesUpWhatItWritesHoldsNobody() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.concat(Mono.just(HeldHandler.buffer(exchange, "a")), Flux.never()))
                        .timeout(Duration.ofMillis(100))
                        .onErrorResume(failure -> Mono.error(new ResponseStatusException(HttpStatus.BAD_GATEWAY))))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            server.release();
            // the leader has not got a part of the body yet, so that it learns of the failure
            assertThat(all.get(0).response("GET").status()).isEqualTo(502);
            // the others run the handler themselves, and end as without collapsing
            HeldHandler.await(() -> server.ended.get() == 1 + HeldHandler.FOLLOWERS);
        }
    }
}
