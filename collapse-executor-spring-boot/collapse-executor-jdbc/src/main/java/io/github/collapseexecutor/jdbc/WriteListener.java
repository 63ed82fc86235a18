package io.github.collapseexecutor.jdbc;

/**
 * Is told what became of the rows of a writer, and how often it committed: for metrics.
 *
 * <pre>{@code
 * WriteOptions.builder().writeListener(batch -> rows.add(batch.written())).build();
 * }</pre>
 *
 * <p>It is told of each batch once, when all of its rows have their outcomes and no caller has been answered, on the thread that has
 * written. It delays that thread, and must not block. An exception that it throws reaches no caller: the first exception, and every {@code Error},
 * goes to the thread's {@linkplain Thread#getUncaughtExceptionHandler() handler of uncaught exceptions}; further exceptions are ignored.
 * Instances must be thread-safe.
 *
 * <p>It costs a writer nothing beside that. A {@linkplain WriteOptions#listener() CollapseListener} does: it is told between the
 * batches, so that the thread that has written a batch cannot go on with the next one by itself.
 */
@FunctionalInterface
public interface WriteListener {

    /**
     * The rows of a batch have their outcomes.
     *
     * @param batch what became of them
     */
    void batchWritten(WriteSummary batch);
}
