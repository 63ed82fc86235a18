package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The executors that were made by their names: for what shows, checks and closes them. Thread-safe. */
public final class MadeExecutors {

    /** An executor that was made. */
    private record Made(String name, CollapseOptions options, CollapseExecutor executor) {}

    // mutable, thread-safe
    private final List<Made> all = new CopyOnWriteArrayList<>();

    public void add(String name, CollapseOptions options, CollapseExecutor executor) {
        all.add(new Made(name, options, executor));
    }

    /** Returns the names of the executors, each once, in the order in which the first was made. */
    public List<String> names() {
        return all.stream().map(Made::name).distinct().toList();
    }

    /** Returns how the first executor of a name gathers. */
    public CollapseOptions options(String name) {
        return named(name).findFirst().orElseThrow().options();
    }

    /** Returns what is in the executors of a name now. */
    public List<CollapseCounts> counts(String name) {
        return named(name).map(made -> made.executor().counts()).toList();
    }

    private Stream<Made> named(String name) {
        return all.stream().filter(made -> made.name().equals(name));
    }

    /** Closes all of them; their calls have that time to end, together. */
    public void close(Duration drain) {
        long deadline = System.nanoTime() + drain.toNanos();
        for (Made made : all) {
            boolean unused = made.executor().close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }
}
