package io.github.collapseexecutor.core;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's own time.
 *
 * <p>All executors share one timer thread, which is started when the first timer is set and ends a second after the last
 * one is gone. It only hands due tasks on, because they may run code of the user's, and one that blocks must not hold up
 * the timers of others.
 */
final class SystemTime implements EngineTime {

    static final EngineTime INSTANCE = new SystemTime();

    static final String TIMER_THREAD = "collapse-executor-timer";

    private SystemTime() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void park(Object blocker, long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos);
        }
    }

    // Not relied on for correctness: it is what collectingWaitTime = 0 asks for, and what it costs and gives was
    // measured.
    @SuppressWarnings("ThreadPriorityCheck")
    @Override
    public void yieldProcessor() {
        Thread.yield();
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        return Timer.INSTANCE.schedule(() -> DefaultExecutor.get().execute(task), nanos, TimeUnit.NANOSECONDS);
    }

    /** Loaded with the first timer. */
    private static final class Timer {

        static final ScheduledThreadPoolExecutor INSTANCE = create();

        private static ScheduledThreadPoolExecutor create() {
            ScheduledThreadPoolExecutor timer =
                    new ScheduledThreadPoolExecutor(1, runnable -> DefaultExecutor.daemon(runnable, TIMER_THREAD));
            timer.setKeepAliveTime(1, TimeUnit.SECONDS);
            timer.allowCoreThreadTimeOut(true);
            timer.setRemoveOnCancelPolicy(true);
            return timer;
        }
    }
}
