package io.github.collapseexecutor.core;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's own time.
 *
 * <p>All executors share one timer thread. It is started when the first timer is set, and ends a second after the last one
 * is gone. It runs no code of a user's, but hands each due task to a thread that is idle or new: a task may run dependents
 * of a user's that block, and these must not hold up the next one. No batch runs on these threads by default, so that no
 * number of calls can occupy them. They are platform threads, because one that is virtual needs a carrier, which others may
 * have pinned. Each ends after a second without a task.
 */
final class SystemScheduler implements EngineScheduler {

    static final SystemScheduler INSTANCE = new SystemScheduler(DaemonThreads.OWN);

    static final String TIMER_THREAD = "collapse-executor-timer";

    /** The names of the threads that the timer hands tasks to begin with this. */
    static final String DUE_THREADS = "collapse-executor-due-";

    private static final long RETRY_MILLIS = 20;

    // immutable
    private final ScheduledThreadPoolExecutor timer;
    private final Executor due;

    SystemScheduler(DaemonThreads threads) {
        timer = timer(threads);
        due = LibraryThreads.free(DUE_THREADS, threads);
    }

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

    /** Where due tasks run. */
    Executor due() {
        return due;
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        return timer.schedule(() -> hand(task), nanos, TimeUnit.NANOSECONDS);
    }

    /** Hands a due task to a thread; where the JVM can start none, of which it warns itself, somewhat later. */
    private void hand(Runnable task) {
        try {
            due.execute(task);
        } catch (Throwable noThread) {
            Future<?> unused = timer.schedule(() -> hand(task), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static ScheduledThreadPoolExecutor timer(DaemonThreads threads) {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, runnable -> threads.make(runnable, TIMER_THREAD));
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
