package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The meters of one name in every registry. They are made when something is first measured after a registry was bound, so that a name
 * which is never used has none.
 */
final class NamedMeters {

    // immutable
    private final String name;
    private final CopyOnWriteArrayList<MeterRegistry> bound;

    // mutable, replaced under this
    private volatile List<ExecutorMeters> present = List.of();

    NamedMeters(String name, CopyOnWriteArrayList<MeterRegistry> bound) {
        this.name = name;
        this.bound = bound;
    }

    /** Returns those of each registry, for one event. */
    List<ExecutorMeters> all() {
        List<ExecutorMeters> known = present;
        return known.size() == bound.size() ? known : complete();
    }

    /** Registries are only ever added, at the end. */
    private synchronized List<ExecutorMeters> complete() {
        List<MeterRegistry> registries = List.copyOf(bound);
        List<ExecutorMeters> known = present;
        List<ExecutorMeters> complete = new ArrayList<>(known);
        for (MeterRegistry added : registries.subList(known.size(), registries.size())) {
            complete.add(new ExecutorMeters(added, name));
        }
        present = List.copyOf(complete);
        return present;
    }
}
