package io.github.collapseexecutor.core;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The engine's only way to know the time, to wait, to wake and to be called later, so that tests can hold them all. */
interface EngineScheduler {

    /** Nanoseconds since some fixed moment. */
    long nanoTime();

    /**
     * Blocks the calling thread until it is unparked, interrupted or the time has passed; it may also return for no reason.
     *
     * @param nanos how long at most; {@link Long#MAX_VALUE} without bound
     */
    void park(Object blocker, long nanos);

    /** Has a thread return from {@link #park}, or not block in it the next time. */
    default void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    /** Lets other threads run first, once. */
    void yieldProcessor();

    /** Threads of which one is always free, for batches for which those of an executor may be waiting. */
    default Executor spareThreads() {
        return DefaultExecutor.get();
    }

    /** For how many nanoseconds a group may stand still before its listener is told; {@link Long#MAX_VALUE} for ever. */
    default long stallNanos() {
        return TimeUnit.SECONDS.toNanos(10);
    }

    /**
     * Runs a task later, on a thread on which the task may run code of the user's.
     *
     * @param nanos how much later
     * @return cancels the task
     */
    Future<?> schedule(Runnable task, long nanos);

    /** As {@link #schedule}, for a task that only looks whether something went wrong. */
    default Future<?> scheduleCheck(Runnable task, long nanos) {
        return schedule(task, nanos);
    }
}
