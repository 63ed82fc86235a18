package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientRequest;

class CollapseClientHttpConnectorTests extends ReactiveAdapterSuite {

    @Override
    WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
        return WebClient.builder()
                .clientConnector(new CollapseClientHttpConnector(transport, http, core))
                .build();
    }

    private static WebClient.Builder collapsing(String uris) {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), uris)))
                .build();
        return WebClient.builder()
                .clientConnector(
                        new CollapseClientHttpConnector(new ReactorClientHttpConnector(), http, Callers.IN_FLIGHT));
    }

    @Test
    void H09_aBodyIsSubscribedToOnce() {
        AtomicInteger subscriptions = new AtomicInteger();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Content-Length"))));
        Mono<String> body = Mono.fromSupplier(() -> "question " + subscriptions.incrementAndGet());
        assertThat(collapsing("/**")
                        .build()
                        .method(HttpMethod.GET)
                        .uri(origin.uri("/a"))
                        .body(body, String.class)
                        .retrieve()
                        .bodyToMono(String.class)
                        .block())
                .isEqualTo("10");
        assertThat(subscriptions).hasValue(1);
    }

    /** Headers are written to a request that is not sent only where that may help. */
    @Test
    void theCallbackRunsTwiceOnlyIfTheRequestTurnsOutToBeForOneOnly() {
        assertThat(callbacks("/b", false)).isEqualTo(1);
        assertThat(callbacks("/a", false)).isEqualTo(1);
        assertThat(callbacks("/b", true)).isEqualTo(1);
        assertThat(callbacks("/a", true)).isEqualTo(2);
    }

    private int callbacks(String path, boolean asksForNative) {
        AtomicInteger callbacks = new AtomicInteger();
        assertThat(collapsing("/a")
                        .build()
                        .get()
                        .uri(origin.uri(path))
                        .httpRequest(request -> {
                            callbacks.incrementAndGet();
                            if (asksForNative) {
                                request.<HttpClientRequest>getNativeRequest().header("X", "1");
                            }
                        })
                        .retrieve()
                        .bodyToMono(String.class)
                        .block())
                .isEqualTo(path);
        return callbacks.get();
    }

    /** Both clients have one connector; one of them takes less into memory than the other. */
    @Test
    void everyCallerDecodesWithItsOwnCodecs() throws Exception {
        WebClient large = collapsing("/**").build();
        WebClient small = large.mutate()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(1))
                .build();
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (WebClient client : List.of(large, small)) {
            answers.add(client.get()
                    .uri(origin.uri("/a"))
                    .retrieve()
                    .bodyToMono(String.class)
                    .toFuture());
        }
        hold.release();
        assertThat(answers.get(0).get(30, TimeUnit.SECONDS)).isEqualTo("/a");
        assertThat(answers.get(1))
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(WebClientResponseException.class)
                .withRootCauseInstanceOf(DataBufferLimitException.class);
        assertThat(origin.requests()).hasSize(1);
    }

    @Nested
    class TransportTests extends ReactiveTransportSuite {
        @Override
        WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
            return CollapseClientHttpConnectorTests.this.clientOver(transport, http, core);
        }
    }
}
