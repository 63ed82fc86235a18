package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.Callers;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeFunctions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** H39: an exchange that ends without a response does so for everybody; WebClient has a failure of its own for that. */
class EmptyExchangeTests {

    @Test
    void H39_anExchangeWithoutAResponseEndsSoForEveryCaller() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        Sinks.Empty<ClientHttpResponse> end = Sinks.empty();
        ExchangeFunction next = ExchangeFunctions.create((method, uri, callback) -> {
            sent.incrementAndGet();
            return end.asMono();
        });
        CollapseExchangeFilterFunction filter =
                new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
        ClientRequest request =
                ClientRequest.create(HttpMethod.GET, URI.create("http://a/p")).build();
        List<CompletableFuture<@Nullable ClientResponse>> answers = List.of(
                filter.filter(request, next).toFuture(),
                filter.filter(request, next).toFuture());
        assertThat(end.tryEmitEmpty().isSuccess()).isTrue();
        for (CompletableFuture<@Nullable ClientResponse> answer : answers) {
            assertThat(answer).isCompletedWithValue(null);
        }
        assertThat(sent).hasValue(1);
    }

    @Test
    void H39_aLoneExchangeWithoutAResponseEndsSo() {
        CollapseExchangeFilterFunction filter =
                new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
        ClientRequest request =
                ClientRequest.create(HttpMethod.GET, URI.create("http://a/p")).build();
        assertThat(filter.filter(request, ExchangeFunctions.create((method, uri, callback) -> Mono.empty()))
                        .blockOptional())
                .isEmpty();
    }
}
