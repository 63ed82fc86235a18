package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds what makes a client of {@code rest-template} collapse: the groups that hold for it, or the interceptor that the application
 * defines itself, which knows of no groups in properties.
 */
final class RestClientAdapters {

    /** The options of the section, read once, at the start. */
    record Options(HttpCollapseOptions http, CollapseOptions core, SectionClients clients) {

        /** An interceptor of a client that the properties do not name. */
        CollapseHttpRequestInterceptor ofOthers() {
            return new CollapseHttpRequestInterceptor(
                    http.toBuilder().rules(clients.ofOthers(http.rules())).build(), core);
        }

        private CollapseHttpRequestInterceptor of(ClientKind kind, String name) {
            return new CollapseHttpRequestInterceptor(
                    http.toBuilder()
                            .rules(clients.ofClient(kind, name, http.rules()))
                            .build(),
                    core);
        }
    }

    static final String OPTIONS = AdapterUse.INTERCEPTOR + "Options";

    // immutable
    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<CollapseHttpRequestInterceptor> interceptor;
    private final ObjectProvider<RestClientSharing> sharing;

    RestClientAdapters(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<CollapseHttpRequestInterceptor> interceptor,
            ObjectProvider<RestClientSharing> sharing) {
        this.beans = beans;
        this.interceptor = interceptor;
        this.sharing = sharing;
    }

    CollapsingRestClients ofBean(String name) {
        return new CollapsingRestClients(
                source(ClientKind.BEAN, name), clients().ofClient(name));
    }

    CollapsingRestClients ofBuilder(String name) {
        return new CollapsingRestClients(
                source(ClientKind.BEAN, name), clients().ofBuilder(name));
    }

    CollapsingRestClients ofServiceGroup(String name) {
        return new CollapsingRestClients(
                source(ClientKind.HTTP_SERVICE_GROUP, name), clients().ofServiceGroup(name));
    }

    private CollapseHttpRequestInterceptor source(ClientKind kind, String name) {
        return beans.containsLocalBean(OPTIONS)
                ? beans.getBean(OPTIONS, Options.class).of(kind, name)
                : interceptor.getObject();
    }

    private ClientSharing clients() {
        return sharing.getObject().clients();
    }
}
