package io.github.collapseexecutor.core;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of this library. All are daemons that inherit nothing of the code that needs one first, and that end a second after their last
 * task. Public because other modules of the library use it.
 */
public final class LibraryThreads {

    private LibraryThreads() {}

    /**
     * Runs a task later, on a thread that is idle or new. The task may block: it holds up no other. Where the JVM can start no
     * thread, it runs somewhat later.
     *
     * @param nanos how much later, in nanoseconds
     * @param task what is run
     * @return cancels the task while it has not begun
     */
    public static Future<?> after(long nanos, Runnable task) {
        return SystemScheduler.INSTANCE.schedule(task, nanos);
    }

    /**
     * Returns an executor that has each task run by a thread that is idle or new. A task may block: it holds up no other.
     *
     * @return an executor, always the same
     */
    public static Executor free() {
        return SystemScheduler.INSTANCE.due();
    }

    /**
     * Makes an executor as {@link #free()} is, whose threads have a name of their own.
     *
     * @param name begins the names of the threads
     * @return a new executor
     */
    public static Executor free(String name) {
        return free(name, DaemonThreads.OWN);
    }

    /**
     * Tells virtual threads, of which a program never runs out, from others; also on a JDK that has none.
     *
     * @param thread any thread
     * @return true if it is virtual
     */
    public static boolean isVirtual(Thread thread) {
        return VirtualThreads.contain(thread);
    }

    static Executor free(String name, DaemonThreads threads) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                1,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                runnable -> threads.make(runnable, name + number.getAndIncrement()));
    }
}
