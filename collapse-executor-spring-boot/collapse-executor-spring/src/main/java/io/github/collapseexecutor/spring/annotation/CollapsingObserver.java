package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import org.jspecify.annotations.Nullable;

/**
 * Attaches listeners, meters and observations to the executors of annotated methods. A bean of this type is asked for each executor.
 */
public interface CollapsingObserver {

    /**
     * Returns what is told of the batches of an executor, in place of the listener of {@link CollapsingSettings#options()}.
     *
     * @param name the executor's name
     * @return a listener, or null for none
     */
    @Nullable CollapseListener listener(String name);

    /**
     * Returns what carries the contexts of callers to the batches of an executor, inside the carrier of {@link
     * CollapsingSettings#options()}.
     *
     * @param name the executor's name
     * @return a carrier, or null (the default) for none
     */
    default @Nullable ContextCarrier contextCarrier(String name) {
        return null;
    }

    /**
     * Tells of an executor that was made. It should not be kept reachable longer than the application.
     *
     * @param name the executor's name
     * @param executor the executor
     */
    void made(String name, CollapseExecutor executor);

    /**
     * Tells of a call that ran by itself because its executor is paused. The default does nothing.
     *
     * @param name the executor's name
     */
    default void passed(String name) {}
}
