package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds what makes a client of one section collapse: the groups that hold for it, or the adapter that the application defines itself,
 * which knows of no groups in properties.
 *
 * @param <CLIENTS> makes a client collapse
 */
final class ClientAdapters<CLIENTS> {

    /** The options of the section, read once, at the start. */
    record Options<ADAPTER>(
            HttpCollapseOptions http,
            CollapseOptions core,
            SectionClients clients,
            BiFunction<HttpCollapseOptions, CollapseOptions, ADAPTER> adapter) {

        /** An adapter of a client that the properties do not name. */
        ADAPTER ofOthers() {
            return with(clients.ofOthers(http.rules()));
        }

        private ADAPTER of(ClientKind kind, Set<String> names) {
            return with(clients.ofClient(kind, names, http.rules()));
        }

        private ADAPTER with(List<CollapseRule> rules) {
            return adapter.apply(http.toBuilder().rules(rules).build(), core);
        }
    }

    /** How a client gets an adapter of its own, with the options of another, and what it shares with other instances. */
    interface Source<ADAPTER, CLIENTS> {

        CLIENTS of(ADAPTER adapter, @Nullable OtherInstances instances, ClientTally tally);
    }

    /** The same for a client by all its names. */
    private interface NamedSource<CLIENTS> {

        CLIENTS of(ClientKind kind, Set<String> names, @Nullable OtherInstances instances, ClientTally tally);
    }

    // immutable
    private final ConfigurableListableBeanFactory beans;
    private final ClientSharing sharing;
    private final NamedSource<CLIENTS> source;

    // mutable, thread-safe
    private final ConcurrentMap<String, ClientTally> tallies = new ConcurrentHashMap<>();

    /**
     * Makes nothing yet.
     *
     * @param optionsName the name of the {@link Options} bean, which the context lacks if the application defines an adapter
     * @param ofApplication the adapter that the application defines
     * @param <ADAPTER> the type of the adapters
     */
    <ADAPTER> ClientAdapters(
            ConfigurableListableBeanFactory beans,
            String optionsName,
            ObjectProvider<ADAPTER> ofApplication,
            ClientSharing sharing,
            Source<ADAPTER, CLIENTS> source) {
        this.beans = beans;
        this.sharing = sharing;
        this.source = (kind, names, instances, tally) -> source.of(
                beans.containsLocalBean(optionsName)
                        ? ClientAdapters.<ADAPTER>options(beans.getBean(optionsName))
                                .of(kind, names)
                        : ofApplication.getObject(),
                instances,
                tally);
    }

    @SuppressWarnings("unchecked") // the bean of this name is that of the auto-configuration
    private static <ADAPTER> Options<ADAPTER> options(Object bean) {
        return (Options<ADAPTER>) bean;
    }

    /** Refuses a sharing with other instances that cannot work, whether or not there are clients. */
    void checkSharing() {
        sharing.check();
    }

    /** Each instance of a scoped or prototype bean comes by the same name. */
    private ClientTally tally(String name) {
        return tallies.computeIfAbsent(ClientBeans.shownName(name), ClientTally::new);
    }

    CLIENTS ofBean(String name) {
        return source.of(ClientKind.BEAN, ClientBeans.namesOf(beans, name), sharing.ofClient(name), tally(name));
    }

    CLIENTS ofBuilder(String name) {
        return source.of(ClientKind.BEAN, ClientBeans.namesOf(beans, name), sharing.ofBuilder(name), tally(name));
    }

    CLIENTS ofServiceGroup(String name) {
        return source.of(ClientKind.HTTP_SERVICE_GROUP, Set.of(name), sharing.ofServiceGroup(name), tally(name));
    }
}
