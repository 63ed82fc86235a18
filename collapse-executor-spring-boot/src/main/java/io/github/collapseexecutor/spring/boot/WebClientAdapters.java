package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds what makes a client of {@code web-client} collapse: the groups that hold for it, or the filter that the application defines
 * itself, which knows of no groups in properties.
 */
final class WebClientAdapters {

    /** The options of the section, read once, at the start. */
    record Options(HttpCollapseOptions http, CollapseOptions core, SectionClients clients) {

        /** A filter of a client that the properties do not name. */
        CollapseExchangeFilterFunction ofOthers() {
            return new CollapseExchangeFilterFunction(
                    http.toBuilder().rules(clients.ofOthers(http.rules())).build(), core);
        }

        private CollapseExchangeFilterFunction of(ClientKind kind, String name) {
            return new CollapseExchangeFilterFunction(
                    http.toBuilder()
                            .rules(clients.ofClient(kind, name, http.rules()))
                            .build(),
                    core);
        }
    }

    static final String OPTIONS = AdapterUse.FILTER_FUNCTION + "Options";

    // immutable
    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<CollapseExchangeFilterFunction> filter;
    private final ObjectProvider<WebClientSharing> sharing;

    WebClientAdapters(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<CollapseExchangeFilterFunction> filter,
            ObjectProvider<WebClientSharing> sharing) {
        this.beans = beans;
        this.filter = filter;
        this.sharing = sharing;
    }

    CollapsingWebClients ofBean(String name) {
        return new CollapsingWebClients(source(ClientKind.BEAN, name), clients().ofClient(name));
    }

    CollapsingWebClients ofBuilder(String name) {
        return new CollapsingWebClients(source(ClientKind.BEAN, name), clients().ofBuilder(name));
    }

    CollapsingWebClients ofServiceGroup(String name) {
        return new CollapsingWebClients(
                source(ClientKind.HTTP_SERVICE_GROUP, name), clients().ofServiceGroup(name));
    }

    private CollapseExchangeFilterFunction source(ClientKind kind, String name) {
        return beans.containsLocalBean(OPTIONS)
                ? beans.getBean(OPTIONS, Options.class).of(kind, name)
                : filter.getObject();
    }

    private ClientSharing clients() {
        return sharing.getObject().clients();
    }
}
