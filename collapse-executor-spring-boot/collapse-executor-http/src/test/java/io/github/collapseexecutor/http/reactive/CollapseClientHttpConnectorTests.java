package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
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

    /** WebClient does so with whatever a connector fails with. */
    @Test
    void aTimeOutAndARejectionArriveInAWebClientRequestException() throws Exception {
        assertThat(failures(core -> clientOver(new ReactorClientHttpConnector(), AtOnce.EVERYTHING, core)))
                .hasOnlyElementsOfType(WebClientRequestException.class)
                .extracting(Throwable::getCause)
                .hasExactlyElementsOfTypes(TimeoutException.class, RejectedExecutionException.class);
    }

    /** As they are, because WebClient looks at what the exchange fails with only. */
    @Test
    void byTheFilterATimeOutAndARejectionArriveAsTheyAre() throws Exception {
        assertThat(failures(core -> WebClient.builder()
                        .filter(new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, core))
                        .build()))
                .hasExactlyElementsOfTypes(TimeoutException.class, RejectedExecutionException.class);
    }

    /** A caller whose call times out, and one that is refused because another waits already. */
    private List<Throwable> failures(Function<CollapseOptions, WebClient> clients) throws Exception {
        Hold hold = origin.hold();
        WebClient impatient = clients.apply(
                Callers.IN_FLIGHT.toBuilder().callTimeout(Duration.ofMillis(1)).build());
        Throwable timeOut = failure(answerOf(impatient));
        WebClient full =
                clients.apply(Callers.IN_FLIGHT.toBuilder().maxPending(1).build());
        CompletableFuture<String> first = answerOf(full);
        Throwable rejection = failure(answerOf(full));
        origin.holdNoMore();
        hold.release();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("/a");
        return List.of(timeOut, rejection);
    }

    private CompletableFuture<String> answerOf(WebClient client) {
        return client.get()
                .uri(origin.uri("/a"))
                .retrieve()
                .bodyToMono(String.class)
                .toFuture();
    }

    private static Throwable failure(CompletableFuture<String> answer) throws Exception {
        return answer.handle((value, failure) -> failure).get(30, TimeUnit.SECONDS);
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

    @Nested
    class UnreadResponseTests extends UnreadResponseSuite {
        @Override
        WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
            return CollapseClientHttpConnectorTests.this.clientOver(transport, http, core);
        }
    }
}
