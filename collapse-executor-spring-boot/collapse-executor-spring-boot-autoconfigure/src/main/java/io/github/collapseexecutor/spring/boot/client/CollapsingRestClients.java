package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Makes a {@code RestTemplate} or {@code RestClient} collapse by a request factory of its own, around the one that it has: below
 * all its interceptors, whenever they are added. A {@code RestClient} whose request factory cannot be read gets an interceptor of
 * its own instead, behind all others. Either replaces a collapsing interceptor that the application has added, which another client
 * may have, too (H35). A collapsing request factory that the application has set stays: it belongs to what sends its requests.
 *
 * @param interceptor makes the interceptor of a client
 * @param factory makes the request factory of a client
 * @param tally counts the adapters that are made
 */
record CollapsingRestClients(
        Supplier<CollapseHttpRequestInterceptor> interceptor,
        UnaryOperator<ClientHttpRequestFactory> factory,
        ClientTally tally) {

    CollapsingRestClients(HttpCollapseOptions http, CollapseOptions core, ClientTally tally) {
        this(
                () -> new CollapseHttpRequestInterceptor(http, core),
                delegate -> new CollapseClientHttpRequestFactory(delegate, http, core),
                tally);
    }

    /**
     * Has the options of the application's own interceptor, which is never added itself.
     *
     * @param instances what the client shares with; null if it shares nothing with other instances
     */
    CollapsingRestClients(
            CollapseHttpRequestInterceptor source, @Nullable OtherInstances instances, ClientTally tally) {
        this(() -> source.forAnotherClient(instances), delegate -> source.requestFactory(delegate, instances), tally);
    }

    /** Neither a builder nor the customizer classes of Boot are needed, which moved between its generations. */
    static final ClientFamily<CollapsingRestClients, RestClient, RestClient.Builder> FAMILY = new ClientFamily<>(
            SectionClients::ofRestTemplate,
            OptionsReader.WEB_CLIENT,
            RestClient.class,
            RestClient.Builder.class,
            RestTemplate.class,
            CollapsingRestClients::collapsing,
            CollapsingRestClients::changeInPlace,
            builder -> builder.clone().build(),
            CollapsingRestClients::isIn);

    private Object collapsing(Object bean) {
        if (bean instanceof RestTemplate restTemplate) {
            addTo(restTemplate);
            return restTemplate;
        }
        return bean instanceof RestClient restClient ? addTo(restClient) : addTo((RestClient.Builder) bean);
    }

    /**
     * Changes a client, which may collapse already. The other interceptors stay where they are, in their order: it may send requests
     * meanwhile.
     */
    void addTo(RestTemplate restTemplate) {
        restTemplate.getInterceptors().removeIf(CollapsingRestClients::collapses);
        ClientHttpRequestFactory requestFactory = requestFactoryOf(restTemplate);
        if (!(requestFactory instanceof CollapseClientHttpRequestFactory)) {
            restTemplate.setRequestFactory(around(requestFactory));
        }
    }

    /** With interceptors, a RestTemplate shows its own request factory inside another one only. */
    private static ClientHttpRequestFactory requestFactoryOf(RestTemplate restTemplate) {
        ClientHttpRequestFactory shown = restTemplate.getRequestFactory();
        return !restTemplate.getInterceptors().isEmpty()
                        && shown instanceof InterceptingClientHttpRequestFactory intercepting
                ? intercepting.getDelegate()
                : shown;
    }

    RestClient addTo(RestClient restClient) {
        ClientHttpRequestFactory requestFactory = requestFactoryOf(restClient);
        RestClient.Builder copy = restClient
                .mutate()
                .requestInterceptors(interceptors -> interceptors.removeIf(CollapsingRestClients::collapses));
        if (requestFactory == null) {
            tally.made();
        }
        return requestFactory == null
                ? copy.requestInterceptor(interceptor.get()).build()
                : copy.requestFactory(around(requestFactory)).build();
    }

    /**
     * Returns a builder that makes the clients collapse which it builds. It does nothing before, because the request factory and
     * interceptors may still be set.
     */
    RestClient.Builder addTo(RestClient.Builder builder) {
        BuilderTransport<ClientHttpRequestFactory> transport = new BuilderTransport<>(this::around);
        return BuilderProxy.of(
                RestClient.Builder.class, builder, RestClient.Builder::clone, copy -> build(copy, transport));
    }

    /** Clients that send by the same request factory, be it the default one, get the same collapsing one. */
    private RestClient build(RestClient.Builder copy, BuilderTransport<ClientHttpRequestFactory> transport) {
        ClientHttpRequestFactory requestFactory = transport.of(
                ClientField.named("requestFactory", ClientHttpRequestFactory.class, copy),
                () -> requestFactoryOf(copy.clone().build()));
        if (requestFactory != null) {
            copy.requestFactory(requestFactory);
        }
        return addTo(copy.build());
    }

    /** Changes a builder itself, whose request factory has been set, or will not be. */
    void changeInPlace(RestClient.Builder builder) {
        ClientHttpRequestFactory requestFactory =
                requestFactoryOf(builder.clone().build());
        builder.requestInterceptors(interceptors -> interceptors.removeIf(CollapsingRestClients::collapses));
        if (requestFactory == null) {
            tally.made();
            builder.requestInterceptor(interceptor.get());
        } else {
            builder.requestFactory(around(requestFactory));
        }
    }

    static boolean isIn(RestClient restClient) {
        boolean[] found = {requestFactoryOf(restClient) instanceof CollapseClientHttpRequestFactory};
        restClient
                .mutate()
                .requestInterceptors(
                        interceptors -> found[0] |= interceptors.stream().anyMatch(CollapsingRestClients::collapses));
        return found[0];
    }

    private ClientHttpRequestFactory around(ClientHttpRequestFactory requestFactory) {
        if (requestFactory instanceof CollapseClientHttpRequestFactory) {
            return requestFactory;
        }
        tally.made();
        return factory.apply(requestFactory);
    }

    private static @Nullable ClientHttpRequestFactory requestFactoryOf(RestClient restClient) {
        return ClientField.named("clientRequestFactory", ClientHttpRequestFactory.class, restClient)
                .value();
    }

    private static boolean collapses(ClientHttpRequestInterceptor interceptor) {
        return interceptor instanceof CollapseHttpRequestInterceptor;
    }
}
