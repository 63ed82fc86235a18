package io.github.collapseexecutor.core;

/**
 * Is told of every batch of an executor: for metrics, logs and tests.
 *
 * <p>Called on the thread that ended the batch, after its callers were given their answers, so that it delays at most
 * that thread; it must not block. Whatever it throws reaches no caller: the first exception, and every {@code Error}, goes
 * to the thread's {@linkplain Thread#getUncaughtExceptionHandler() handler of uncaught exceptions}; further exceptions are
 * ignored. Instances must be thread-safe.
 */
public interface CollapseListener {

    /**
     * A batch has ended, whatever its outcome.
     *
     * @param batch what there is to know of it
     */
    void batchEnded(BatchSummary batch);
}
