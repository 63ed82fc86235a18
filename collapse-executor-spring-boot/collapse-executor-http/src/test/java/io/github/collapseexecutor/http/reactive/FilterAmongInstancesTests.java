package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/** When the filter asks other instances: where it knows how the client reads bodies. */
class FilterAmongInstancesTests extends OriginFixture {

    private final AtomicInteger asked = new AtomicInteger();

    /** Others that let every request be sent. */
    private OtherInstances others() {
        return key -> {
            asked.incrementAndGet();
            return new OtherInstances.Question() {
                @Override
                public CompletableFuture<OtherInstances.Answer> answer() {
                    return CompletableFuture.completedFuture(new OtherInstances.Send(null));
                }

                @Override
                public void leave() {}
            };
        };
    }

    private HttpCollapseOptions shared() {
        return everything().otherInstances(others()).build();
    }

    private String get(ExchangeFilterFunction collapsing) {
        return WebClient.builder()
                .clientConnector(ReactiveClients.JDK_CLIENT)
                .filter(collapsing)
                .build()
                .get()
                .uri(origin.uri("/a"))
                .retrieve()
                .bodyToMono(String.class)
                .block();
    }

    @Test
    void aClientOfSpringsAsks() {
        assertThat(get(new CollapseExchangeFilterFunction(shared(), CollapseOptions.defaults())))
                .isEqualTo("/a");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aClientThatDoesNotShowItsCodecsSendsByItself() {
        assertThat(get(new UnreadClient(shared(), CollapseOptions.defaults()))).isEqualTo("/a");
        assertThat(asked).hasValue(0);
    }
}
