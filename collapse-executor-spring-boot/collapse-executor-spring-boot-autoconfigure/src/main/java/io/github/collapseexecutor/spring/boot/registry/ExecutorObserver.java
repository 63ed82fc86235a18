package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.HttpCollapseListener;
import org.jspecify.annotations.Nullable;

/**
 * Observes the adapters of every section under {@code collapse.executor}, and the executors of annotated methods and those with names: for
 * what this module observes itself. Listeners of the application's are beans.
 */
public interface ExecutorObserver {

    /** Returns what is told of the batches of a section; null for nothing. */
    default @Nullable CollapseListener ofBatches(String section) {
        return null;
    }

    /** Returns what is told of the requests of a section; null for nothing. */
    default @Nullable HttpCollapseListener ofRequests(String section) {
        return null;
    }

    /** Returns what is told of the batches of an executor that is no section's; null for nothing. */
    default @Nullable CollapseListener listenerOfExecutor(String executor) {
        return null;
    }

    /** Returns what carries the contexts of callers to batches, inside the carriers that are beans; null for nothing. */
    default @Nullable ContextCarrier carrierOf(String executor) {
        return null;
    }

    /** A section that has groups has its adapters, or what they are made of. */
    default void made(HttpSections.Section section) {}

    /** An executor was made. */
    default void made(String name, CollapseExecutor executor) {}

    /** A call ran by itself because its executor is paused. */
    default void passed(String name) {}
}
