package io.github.collapseexecutor.http;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which deadlines are kept. Each due task gets one that is idle or new, because it may run code of users that
 * blocks: what depends on a future, a client that sends. Such code must hold up no other deadline, and never the one timer
 * thread that the whole JVM has. All are daemons, and end a second after their last task.
 */
final class DueThreads {

    /** The names of the threads begin with this. */
    static final String NAME = "collapse-executor-http-due-";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    static final Executor INSTANCE = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), DueThreads::thread);

    private DueThreads() {}

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(null, task, NAME + NUMBER.getAndIncrement(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(DueThreads.class.getClassLoader());
        return thread;
    }
}
