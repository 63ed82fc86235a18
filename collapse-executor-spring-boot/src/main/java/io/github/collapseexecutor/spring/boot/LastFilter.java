package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.util.List;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Gives a {@code WebClient} a collapsing filter of its own, behind all others, in place of one that the application has added.
 * The connector of a client would be a better place, but neither a client nor a builder shows the one that it has.
 */
final class LastFilter {

    // immutable
    private final CollapseExchangeFilterFunction source;

    /** The source is never added itself: each client gets a filter with its options. */
    LastFilter(CollapseExchangeFilterFunction source) {
        this.source = source;
    }

    WebClient addTo(WebClient client) {
        return client.mutate().filters(this::addOwn).build();
    }

    /**
     * Returns a builder that adds the filter when it builds and not before, because filters may still be added to the builder;
     * each client that it builds gets a filter of its own.
     */
    WebClient.Builder addTo(WebClient.Builder builder) {
        return BuilderProxy.of(
                WebClient.Builder.class,
                builder,
                WebClient.Builder::clone,
                copy -> copy.filters(this::addOwn).build());
    }

    static boolean isIn(WebClient client) {
        boolean[] found = new boolean[1];
        client.mutate().filters(filters -> found[0] = filters.stream().anyMatch(LastFilter::collapses));
        return found[0];
    }

    private void addOwn(List<ExchangeFilterFunction> filters) {
        filters.removeIf(LastFilter::collapses);
        filters.add(source.forAnotherClient());
    }

    private static boolean collapses(ExchangeFilterFunction filter) {
        return filter instanceof CollapseExchangeFilterFunction;
    }
}
