package io.github.collapseexecutor.cluster;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Time, and threads for what may block.
 *
 * <p>The timer's thread runs no code of a user's, so that nobody can hold it up. A task that may run such code, or connect to Redis, is handed to a
 * thread that is idle or new. All of them end a second after their last task.
 */
final class ClusterThreads {

    private static final ScheduledThreadPoolExecutor TIMER = timer();
    private static final Executor FREE = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> daemon(task, "call"));

    private ClusterThreads() {}

    /** Runs a short task of this package later. */
    static Future<?> after(long nanos, Runnable task) {
        return TIMER.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /** Where code of users runs that no thread of theirs waits for. */
    static Executor free() {
        return FREE;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "timer"));
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, "collapse-executor-cluster-" + name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ClusterThreads.class.getClassLoader());
        return thread;
    }
}
