package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;

/** Listens to the executors of annotated methods: for what this package observes itself. Listeners of the application's are beans. */
interface ExecutorObserver {

    /** Returns what is told of an executor's batches. */
    CollapseListener listener();

    /** An executor was made. */
    void made(String name, CollapseExecutor executor);
}
