package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import org.jspecify.annotations.Nullable;

/** Attaches listeners and meters to the executors of annotated methods. A bean of this type is asked for each executor. */
public interface CollapsingObserver {

    /**
     * Returns what is told of the batches of an executor, in place of the listener of {@link CollapsingSettings#options()}.
     *
     * @param name the executor's name
     * @return a listener, or null for none
     */
    @Nullable CollapseListener listener(String name);

    /**
     * Tells of an executor that was made. It should not be kept reachable longer than the application.
     *
     * @param name the executor's name
     * @param executor the executor
     */
    void made(String name, CollapseExecutor executor);
}
