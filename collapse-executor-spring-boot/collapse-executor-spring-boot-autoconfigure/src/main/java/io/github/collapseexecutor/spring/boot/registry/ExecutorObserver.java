package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import org.jspecify.annotations.Nullable;

/** Listens to the executors of annotated methods: for what this package observes itself. Listeners of the application's are beans. */
public interface ExecutorObserver {

    /** Returns what is told of an executor's batches; null for nothing. */
    default @Nullable CollapseListener listenerOfExecutor(String executor) {
        return null;
    }

    /** Returns what carries the contexts of callers to an executor's batches; null for nothing. */
    default @Nullable ContextCarrier carrierOfExecutor(String executor) {
        return null;
    }

    /** An executor was made. */
    default void made(String name, CollapseExecutor executor) {}

    /** A call ran by itself because its executor is paused. */
    default void passed(String name) {}
}
