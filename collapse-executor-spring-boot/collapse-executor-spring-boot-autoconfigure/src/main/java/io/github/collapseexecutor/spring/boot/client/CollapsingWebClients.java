package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Makes a {@code WebClient} collapse by a connector of its own, around the one that it was given and so below all its filters. A
 * client that was given none, for which Spring picks one when it builds, and one whose connector cannot be read gets a filter of
 * its own instead, behind all others. The clients of a builder get a connector in common ({@link BuilderTransport}). Either replaces a collapsing filter that the application has added, which another client may
 * have, too (H35). A collapsing connector that the application has set stays: it belongs to what sends its requests.
 *
 * @param filter makes the filter of a client
 * @param connector makes the connector of a client
 * @param tally counts the adapters that are made
 */
record CollapsingWebClients(
        Supplier<CollapseExchangeFilterFunction> filter,
        UnaryOperator<ClientHttpConnector> connector,
        ClientTally tally) {

    CollapsingWebClients(HttpCollapseOptions http, CollapseOptions core, ClientTally tally) {
        this(
                () -> new CollapseExchangeFilterFunction(http, core),
                delegate -> new CollapseClientHttpConnector(delegate, http, core),
                tally);
    }

    /**
     * Has the options of the application's own filter, which is never added itself.
     *
     * @param instances what the client shares with; null if it shares nothing with other instances
     */
    CollapsingWebClients(CollapseExchangeFilterFunction source, @Nullable OtherInstances instances, ClientTally tally) {
        this(() -> source.forAnotherClient(instances), delegate -> source.around(delegate, instances), tally);
    }

    static final ClientFamily<CollapsingWebClients, WebClient, WebClient.Builder> FAMILY = new ClientFamily<>(
            SectionClients::ofWebClient,
            OptionsReader.REST_TEMPLATE,
            WebClient.class,
            WebClient.Builder.class,
            null,
            CollapsingWebClients::collapsing,
            CollapsingWebClients::changeInPlace,
            builder -> builder.clone().build(),
            CollapsingWebClients::isIn);

    private Object collapsing(Object bean) {
        return bean instanceof WebClient client ? addTo(client) : addTo((WebClient.Builder) bean);
    }

    WebClient addTo(WebClient client) {
        return build(client.mutate());
    }

    /**
     * Returns a builder that makes the clients collapse which it builds. It does nothing before, because the connector and filters
     * may still be set.
     */
    WebClient.Builder addTo(WebClient.Builder builder) {
        BuilderTransport<ClientHttpConnector> transport = new BuilderTransport<>(this::around);
        return BuilderProxy.of(
                WebClient.Builder.class, builder, WebClient.Builder::clone, copy -> build(copy, transport));
    }

    /** Clients that send by the same connector, be it the default one, get the same collapsing one. */
    private WebClient build(WebClient.Builder copy, BuilderTransport<ClientHttpConnector> transport) {
        if (sendsByConnector(copy)) {
            ClientHttpConnector shared = transport.of(
                    ClientField.named("connector", ClientHttpConnector.class, copy), () -> defaultOf(copy));
            if (shared != null) {
                copy.clientConnector(shared);
            }
        }
        return build(copy);
    }

    static boolean isIn(WebClient client) {
        WebClient.Builder copy = client.mutate();
        boolean[] found = {connectorOf(copy) instanceof CollapseClientHttpConnector};
        copy.filters(filters -> found[0] |= filters.stream().anyMatch(CollapsingWebClients::collapses));
        return found[0];
    }

    private WebClient build(WebClient.Builder copy) {
        changeInPlace(copy);
        return copy.build();
    }

    /** Changes a builder itself, whose connector and filters have been set, or will not be. */
    void changeInPlace(WebClient.Builder builder) {
        ClientHttpConnector own = connectorOf(builder);
        builder.filters(filters -> filters.removeIf(CollapsingWebClients::collapses));
        if (own == null) {
            tally.made();
            builder.filter(filter.get());
        } else {
            builder.clientConnector(around(own));
        }
    }

    private ClientHttpConnector around(ClientHttpConnector delegate) {
        if (delegate instanceof CollapseClientHttpConnector) {
            return delegate;
        }
        tally.made();
        return connector.apply(delegate);
    }

    /** Returns the connector that a builder was given and will use; null if there is none, or none to be read. */
    private static @Nullable ClientHttpConnector connectorOf(WebClient.Builder builder) {
        return sendsByConnector(builder)
                ? ClientField.named("connector", ClientHttpConnector.class, builder)
                        .value()
                : null;
    }

    private static boolean sendsByConnector(WebClient.Builder builder) {
        ClientField<ExchangeFunction> inItsPlace =
                ClientField.named("exchangeFunction", ExchangeFunction.class, builder);
        return inItsPlace.isReadable() && inItsPlace.value() == null;
    }

    /** Returns the connector that Spring makes for a client that was given none; null if it cannot be read. */
    private static @Nullable ClientHttpConnector defaultOf(WebClient.Builder builder) {
        WebClient client = builder.clone().build();
        ExchangeFunction sending = ClientField.named("exchangeFunction", ExchangeFunction.class, client)
                .value();
        return sending == null
                ? null
                : ClientField.named("connector", ClientHttpConnector.class, sending)
                        .value();
    }

    private static boolean collapses(ExchangeFilterFunction filter) {
        return filter instanceof CollapseExchangeFilterFunction;
    }
}
