package io.github.collapseexecutor.core;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still: nothing is ever due later, and who waits really parks until somebody wakes him. */
final class ParkingTime implements EngineScheduler {

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public void park(Object blocker, long nanos) {
        requireUnbounded(nanos);
        LockSupport.park(blocker);
    }

    @Override
    public void yieldProcessor() {
        Thread.onSpinWait();
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        requireUnbounded(nanos);
        throw new AssertionError("A timer without a time");
    }

    private static void requireUnbounded(long nanos) {
        if (nanos != Long.MAX_VALUE) {
            throw new AssertionError("The clock stands, but somebody waits for " + nanos + " ns to pass");
        }
    }

    /** Nothing goes wrong here. */
    @Override
    public Future<?> scheduleCheck(Runnable task, long nanos) {
        return new FutureTask<>(task, null);
    }
}
