package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.HttpSection;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The sections under {@code collapse.executor} whose adapters the auto-configuration makes, and those that the application adds. It
 * attaches every listener to them, and the context carriers if there are any, gives each a control, and remembers what they were made
 * of.
 */
public final class HttpSections {

    private static final Log logger = LogFactory.getLog(HttpSections.class);

    /**
     * One section, as its adapters were made.
     *
     * @param name as in the YAML, which is also its executors' name
     * @param enabled whether both switches are on
     * @param clients of each of the groups that the properties describe, the clients that they name for it
     */
    public record Section(
            String name,
            boolean enabled,
            HttpCollapseOptions http,
            CollapseOptions core,
            HttpCollapseControl control,
            List<List<String>> clients) {

        /** The clients that the properties name for a group, by the group's place; of an adapter of the application's own none. */
        public List<String> clientsOf(int group) {
            return group < clients.size() ? clients.get(group) : List.of();
        }
    }

    // immutable
    private final ObjectProvider<CollapseListener> batchListeners;
    private final ObjectProvider<HttpCollapseListener> requestListeners;
    private final ObjectProvider<ExecutorObserver> observers;
    private final ObjectProvider<ContextCarrier> carriers;

    // mutable, guarded by itself
    private final Map<String, Section> sections = new LinkedHashMap<>();

    public HttpSections(
            ObjectProvider<CollapseListener> batchListeners,
            ObjectProvider<HttpCollapseListener> requestListeners,
            ObjectProvider<ExecutorObserver> observers,
            ObjectProvider<ContextCarrier> carriers) {
        this.batchListeners = batchListeners;
        this.requestListeners = requestListeners;
        this.observers = observers;
        this.carriers = carriers;
    }

    /**
     * Makes an adapter of a section; where a switch is off, one that lets every request pass.
     *
     * @param property the section's name from the root
     * @param adapter makes the adapter of what it collapses and how it gathers
     */
    public <T> T configured(
            String property,
            CollapseExecutorProperties properties,
            HttpSection section,
            BiFunction<HttpCollapseOptions, CollapseOptions, T> adapter) {
        String name = OptionsReader.nameOf(property);
        boolean enabled = properties.collapses(section);
        HttpCollapseControl control = new HttpCollapseControl();
        HttpCollapseOptions http = enabled
                ? OptionsReader.httpOptions(
                        property, section, options -> options.control(control).listener(requestListener(name, null)))
                : HttpCollapseOptions.builder().build();
        CollapseOptions core = enabled ? coreOptions(name, properties) : CollapseOptions.defaults();
        warnOfSharing(property, http);
        T made = adapter.apply(http, core);
        Section present = new Section(
                name,
                enabled,
                http,
                core,
                control,
                section.collapseGroups().stream()
                        .map(group -> SectionClients.namedFor(group, section))
                        .toList());
        synchronized (sections) {
            sections.put(name, present);
        }
        tellObservers(present);
        return made;
    }

    private static void warnOfSharing(String property, HttpCollapseOptions options) {
        options.rules().stream()
                .map(CollapseRule::policy)
                .filter(CollapsePolicy::shareAcrossUsers)
                .map(CollapsePolicy::name)
                .distinct()
                .forEach(name -> logger.warn("Policy " + name + " of " + property
                        + " shares across users: one user may be answered with a response to another"));
    }

    /** Makes an adapter of the application's own as a section. */
    public <T> T added(
            String name,
            HttpCollapseOptions.Builder http,
            CollapseOptions core,
            BiFunction<HttpCollapseOptions, CollapseOptions, T> adapter) {
        HttpCollapseOptions given = http.build();
        HttpCollapseControl control = Objects.requireNonNullElseGet(given.control(), HttpCollapseControl::new);
        ContextCarrier own = core.contextCarrier();
        HttpCollapseOptions completed = http.control(control)
                .listener(requestListener(name, given.listener()))
                .build();
        CollapseOptions named = core.toBuilder()
                .name(name)
                .listener(batchListener(name, core.listener()))
                .contextCarrier(own == null ? carrier(name) : own)
                .build();
        Section section = new Section(name, true, completed, named, control, List.of());
        synchronized (sections) {
            if (OptionsReader.SECTIONS.contains(name) || sections.containsKey(name)) {
                Set<String> taken = new TreeSet<>(OptionsReader.SECTIONS);
                taken.addAll(sections.keySet());
                throw new IllegalArgumentException("There is a section " + name + " already: choose another name than "
                        + String.join(", ", taken));
            }
            sections.put(name, section);
        }
        tellObservers(section);
        return adapter.apply(completed, named);
    }

    private void tellObservers(Section section) {
        if (!section.http().rules().isEmpty()) {
            observers.orderedStream().forEach(observer -> observer.made(section));
        }
    }

    private CollapseOptions coreOptions(String name, CollapseExecutorProperties properties) {
        return OptionsReader.coreOptions(name, properties).toBuilder()
                .listener(batchListener(name, null))
                .contextCarrier(carrier(name))
                .build();
    }

    private @Nullable ContextCarrier carrier(String section) {
        return ObservedExecutors.carrier(carriers.orderedStream(), observers, section);
    }

    private @Nullable CollapseListener batchListener(String section, @Nullable CollapseListener own) {
        return ListenersInTurn.of(
                own, observers, observer -> observer.ofBatches(section), batchListeners, CombinedListener::new);
    }

    private @Nullable HttpCollapseListener requestListener(String section, @Nullable HttpCollapseListener own) {
        return ListenersInTurn.of(
                own, observers, observer -> observer.ofRequests(section), requestListeners, CombinedHttpListener::new);
    }

    /** Returns the sections that have adapters, in the order in which these were made. */
    public Collection<Section> all() {
        synchronized (sections) {
            return List.copyOf(sections.values());
        }
    }

    /** Returns a section by its name, or null. */
    public @Nullable Section find(String name) {
        synchronized (sections) {
            return sections.get(name);
        }
    }
}
