package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.spring.boot.registry.TallyListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Micrometer's meters of collapsing, {@code collapse.*}; docs/observability.md lists them.
 *
 * <p>With Spring Boot and a registry, this is a bean, and the adapters that the auto-configuration makes are measured. An
 * executor of the application's own is measured by:
 *
 * <pre>{@code
 * CollapseOptions options = CollapseOptions.builder().name("users").listener(meters.listener()).build();
 * meters.watch("users", executor);
 * }</pre>
 *
 * <p>{@link WriteMeters} measures writers and sequences.
 *
 * <p>Tags are the executor's name and words of this library. Give executors names of a fixed set: a name with a user's data in it
 * makes a meter for each user.
 *
 * <p>Events before a registry is bound are not measured. To measure a call or a batch makes no object. All methods are
 * thread-safe.
 */
public final class CollapseMeters implements MeterBinder {

    /** The dry run of which group of which section. */
    private record Group(String section, String patterns) {}

    /** Registers the gauges of one name. */
    private interface Gauges<N, T> {
        void show(RegistryMeters meters, N name, Watched<T> watched);
    }

    /** What has gauges in every registry, by its name. */
    private static final class Shown<N, T> {

        // immutable
        private final Gauges<N, T> gauges;
        // mutable, guarded by the CollapseMeters, so that no gauge is missed
        private final Map<N, Watched<T>> byName = new HashMap<>();

        Shown(Gauges<N, T> gauges) {
            this.gauges = gauges;
        }

        void showIn(RegistryMeters meters) {
            byName.forEach((name, watched) -> gauges.show(meters, name, watched));
        }

        void add(N name, T added, Iterable<MeterRegistry> registries) {
            Watched<T> present = byName.computeIfAbsent(name, absent -> {
                Watched<T> watched = new Watched<>();
                registries.forEach(registry -> gauges.show(new RegistryMeters(registry), absent, watched));
                return watched;
            });
            present.add(added);
        }
    }

    // mutable, thread-safe
    private final CopyOnWriteArrayList<MeterRegistry> bound = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, NamedMeters> byName = new ConcurrentHashMap<>();
    private final Shown<String, CollapseExecutor> executors = new Shown<>(RegistryMeters::watchExecutors);
    private final Shown<String, HttpCollapseControl> sections = new Shown<>(RegistryMeters::watchAdapters);
    private final Shown<Group, DryRun> dryRuns =
            new Shown<>((meters, group, dryRun) -> meters.watchDryRun(group.section(), group.patterns(), dryRun));

    /** Creates meters that are bound to no registry. */
    public CollapseMeters() {}

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        RegistryMeters meters = new RegistryMeters(registry);
        executors.showIn(meters);
        sections.showIn(meters);
        dryRuns.showIn(meters);
        bound.add(registry);
    }

    /**
     * Returns a listener that measures the calls and batches of an executor, under the executor's name.
     *
     * @return a listener, for any number of executors
     */
    public CollapseListener listener() {
        return TallyListener.ofExecutors(this::of);
    }

    /**
     * Shows how much is in an executor: {@code collapse.pending}, {@code collapse.in.flight} and {@code collapse.groups}. Of several
     * executors of one name, the sum is shown. The executor is not kept reachable.
     *
     * @param name the name of the executor, best that of its options
     * @param executor the executor
     */
    public synchronized void watch(String name, CollapseExecutor executor) {
        executors.add(name, executor, bound);
    }

    /** Shows how much is in the adapters of a control. */
    synchronized void watch(String section, HttpCollapseControl control) {
        sections.add(section, control, bound);
    }

    /** Shows what the dry run of a group of a section has found. */
    synchronized void watch(String section, String patterns, DryRun dryRun) {
        dryRuns.add(new Group(section, patterns), dryRun, bound);
    }

    /** Returns the meters of an executor or section in each registry, for one event. */
    List<ExecutorMeters> of(String name) {
        NamedMeters present = byName.get(name);
        // computeIfAbsent may lock even where there is something
        return (present != null ? present : byName.computeIfAbsent(name, absent -> new NamedMeters(absent, bound)))
                .all();
    }
}
