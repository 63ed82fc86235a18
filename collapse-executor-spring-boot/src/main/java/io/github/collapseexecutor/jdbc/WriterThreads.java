package io.github.collapseexecutor.jdbc;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that batches are written on: daemons, as many as there are batches, that end when they are idle.
 *
 * <p>They are no caller's, so that no interruption of a caller's reaches a driver, which would break the connection for all
 * (a socket that a virtual thread reads, H2's file), and no thread-local of a caller's decides where the rows of others
 * go (a routing data source). They are shared with nobody who could wait for a write, so that a write never waits for a
 * thread.
 */
final class WriterThreads {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    static final Executor INSTANCE = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), WriterThreads::thread);

    private WriterThreads() {}

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(null, task, "collapse-executor-writer-" + NUMBER.getAndIncrement(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(WriterThreads.class.getClassLoader());
        return thread;
    }
}
