package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Gives a client a collapsing interceptor of its own, behind all others. It decides by the headers it sees which requests are
 * equal: with an interceptor that adds a user's token behind it, two users would look the same. It replaces one that the
 * application has added, which another client may have, too (H35).
 */
final class LastInterceptor {

    // immutable
    private final CollapseHttpRequestInterceptor source;
    private final @Nullable OtherInstances instances;

    /**
     * The source is never added itself: each client gets an interceptor with its options.
     *
     * @param instances what the client shares responses with; null for nothing
     */
    LastInterceptor(CollapseHttpRequestInterceptor source, @Nullable OtherInstances instances) {
        this.source = source;
        this.instances = instances;
    }

    void addTo(RestTemplate restTemplate) {
        replace(restTemplate, this::addOwn);
    }

    /** Moves the interceptor that was added behind those that were added since; adds one if there is none. */
    void moveToEndOf(RestTemplate restTemplate) {
        replace(restTemplate, this::moveToEnd);
    }

    private static void replace(
            RestTemplate restTemplate, Consumer<? super List<ClientHttpRequestInterceptor>> change) {
        List<ClientHttpRequestInterceptor> interceptors = new ArrayList<>(restTemplate.getInterceptors());
        change.accept(interceptors);
        restTemplate.setInterceptors(interceptors);
    }

    RestClient addTo(RestClient restClient) {
        return restClient.mutate().requestInterceptors(this::addOwn).build();
    }

    /**
     * Returns a builder that adds the interceptor when it builds and not before, because interceptors may still be added to
     * the builder; each client it builds gets one of its own.
     */
    RestClient.Builder addTo(RestClient.Builder builder) {
        return BuilderProxy.of(
                RestClient.Builder.class, builder, RestClient.Builder::clone, copy -> addTo(copy.build()));
    }

    static boolean isIn(RestClient restClient) {
        boolean[] found = new boolean[1];
        restClient
                .mutate()
                .requestInterceptors(
                        interceptors -> found[0] = interceptors.stream().anyMatch(LastInterceptor::collapses));
        return found[0];
    }

    private void addOwn(List<ClientHttpRequestInterceptor> interceptors) {
        interceptors.removeIf(LastInterceptor::collapses);
        interceptors.add(source.forAnotherClient(instances));
    }

    private void moveToEnd(List<ClientHttpRequestInterceptor> interceptors) {
        List<ClientHttpRequestInterceptor> present =
                interceptors.stream().filter(LastInterceptor::collapses).toList();
        if (present.size() == 1 && present.get(0) != source) {
            interceptors.removeAll(present);
            interceptors.addAll(present);
        } else {
            addOwn(interceptors);
        }
    }

    private static boolean collapses(ClientHttpRequestInterceptor interceptor) {
        return interceptor instanceof CollapseHttpRequestInterceptor;
    }
}
