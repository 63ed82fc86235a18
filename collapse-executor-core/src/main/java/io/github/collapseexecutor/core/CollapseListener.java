package io.github.collapseexecutor.core;

/**
 * Is told of every batch of an executor: for metrics, logs and tests.
 *
 * <p>Called on the thread that ended the batch, after its callers were given their answers, so that it delays at most
 * that thread; it must not block. An exception that it throws is ignored; an {@code Error} goes to the thread's uncaught
 * exception handler. Instances must be thread-safe.
 */
public interface CollapseListener {

    /**
     * A batch has ended, whatever its outcome.
     *
     * @param batch what there is to know of it
     */
    void batchEnded(BatchSummary batch);
}
