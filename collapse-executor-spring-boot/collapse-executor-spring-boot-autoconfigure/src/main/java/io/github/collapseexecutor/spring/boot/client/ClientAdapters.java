package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
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
            return adapter.apply(with(clients.ofOthers(http.rules())), core);
        }

        private HttpCollapseOptions of(ClientKind kind, Set<String> names, @Nullable OtherInstances instances) {
            return with(clients.ofClient(kind, names, http.rules())).toBuilder()
                    .otherInstances(instances)
                    .build();
        }

        private HttpCollapseOptions with(List<CollapseRule> rules) {
            return http.toBuilder().rules(rules).build();
        }
    }

    /** How a client gets an adapter of its own with these options. */
    interface OptionsSource<CLIENTS> {

        CLIENTS of(HttpCollapseOptions http, CollapseOptions core, ClientTally tally);
    }

    /** How a client gets an adapter of its own, with the options of one that the application defines, and what it shares with other instances. */
    interface AdapterSource<ADAPTER, CLIENTS> {

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
     * @param byOptions makes clients collapse by the section's options
     * @param byAdapter makes clients collapse as the application's adapter does
     * @param <ADAPTER> the type of the adapters
     */
    <ADAPTER> ClientAdapters(
            ConfigurableListableBeanFactory beans,
            String optionsName,
            ObjectProvider<ADAPTER> ofApplication,
            ClientSharing sharing,
            OptionsSource<CLIENTS> byOptions,
            AdapterSource<ADAPTER, CLIENTS> byAdapter) {
        this.beans = beans;
        this.sharing = sharing;
        this.source = (kind, names, instances, tally) -> {
            if (!beans.containsLocalBean(optionsName)) {
                return byAdapter.of(ofApplication.getObject(), instances, tally);
            }
            Options<?> options = beans.getBean(optionsName, Options.class);
            return byOptions.of(options.of(kind, names, instances), options.core(), tally);
        };
    }

    ConfigurableListableBeanFactory beans() {
        return beans;
    }

    /** The clients that the section names. */
    SectionClients clients() {
        return sharing.clients();
    }

    /**
     * Reads the options of the section. Refuses a sharing with other instances that cannot work, whether or not there are clients.
     *
     * @param adapter makes an adapter
     */
    <ADAPTER> Options<ADAPTER> options(
            HttpSections sections, BiFunction<HttpCollapseOptions, CollapseOptions, ADAPTER> adapter) {
        sharing.check();
        return sections.configured(
                clients().property(),
                clients().properties(),
                clients().section(),
                (http, core) -> new Options<>(http, core, clients(), adapter));
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
