package io.github.collapseexecutor.core;

import java.time.Duration;

/**
 * The life of every executor beside its calls: counts of its callers and batches, and an end.
 *
 * <pre>{@code
 * if (!users.close(Duration.ofSeconds(5))) {
 *     log.warn("users closed before its calls had ended: {}", users.counts());
 * }
 * }</pre>
 *
 * <p>An executor starts no thread and holds nothing while it has no callers, so that one that is kept for ever need not be
 * closed. Closing is for an application that ends in good order: no call begins after it, and what the calls need is closed
 * after them.
 *
 * <p>All methods are thread-safe.
 */
public interface CollapseExecutor extends AutoCloseable {

    /**
     * Counts what is in the executor. The executor keeps no counter for this: it visits each group that has callers.
     *
     * @return the counts; each group is counted at one moment, the groups one after another
     */
    CollapseCounts counts();

    /**
     * Closes this executor: refuses further calls with an {@link ExecutorClosedException}, and waits until those that are
     * present have ended, every future is complete and the listener has been told. If the deadline passes first, or the calling
     * thread is interrupted, the calls whose execution has not started fail with that exception at once. Those in flight go on,
     * and their callers get their answers.
     *
     * <p>A duration of zero asks and does not wait. It may find an executor busy whose callers all have their answers: a batch is
     * still there until its last future is complete and the listener has been told of it, and that is a moment after its callers
     * go on. Give it some milliseconds where {@code false} would be taken for calls that hang.
     *
     * <p>A call that a batch function makes is refused as any other. A batch function must not close its own executor, for
     * whose end it would wait. A listener, or the next stage of a future, may close on the thread that completes the future: the close waits for
     * everything except that which this thread, or another closing thread, is about to complete. Closing
     * again waits again.
     *
     * @param drain how long to wait at most; zero or negative not at all
     * @return whether nothing was left when this returned; {@code false} if the deadline passed or the thread was interrupted
     *     before, in which case its interrupt status is set
     */
    boolean close(Duration drain);

    /** Closes this executor as {@link #close(Duration)} does, with 30 seconds to drain. */
    @Override
    default void close() {
        boolean unused = close(Duration.ofSeconds(30));
    }
}
