package io.github.collapseexecutor.core;

import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool of daemon threads that tasks cannot exhaust by waiting for each other, and that stays small where they do not.
 *
 * <p>It has a fixed number of threads and a queue. While tasks queue, it looks from time to time whether a thread has taken
 * one since the last look. If none has, the tasks that run may be waiting for those in the queue: one more thread is
 * started, which works the queue off and ends. Each further look comes later than the one before, so that calls which
 * merely take long get a few threads more, and calls which hang do not get one each.
 *
 * <p>Threads end when they are idle; without tasks in the queue there is no timer.
 */
final class DaemonPool implements Executor {

    /** How long the queue may stand still before the first thread is added. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    // immutable
    private final EngineScheduler scheduler;
    private final String name;
    private final DaemonThreads daemons;
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final ThreadPoolExecutor threads;

    // mutable, by themselves
    private final AtomicInteger started = new AtomicInteger();
    /** Threads beyond the fixed number. */
    private final AtomicInteger added = new AtomicInteger();
    /** Somebody is going to look at the queue. */
    private final AtomicBoolean watched = new AtomicBoolean();

    /**
     * Makes a pool without a thread.
     *
     * @param size how many threads it has before any is added
     */
    DaemonPool(int size, String name, EngineScheduler scheduler, DaemonThreads daemons) {
        this.daemons = daemons;
        this.scheduler = scheduler;
        this.name = name;
        this.threads = new ThreadPoolExecutor(size, size, 1, TimeUnit.SECONDS, queue, this::newThread);
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread newThread(Runnable runnable) {
        return daemons.make(runnable, name + started.getAndIncrement());
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
        watch();
    }

    /** Threads that were added because the queue stood still, and are still at work. */
    int addedThreads() {
        return added.get();
    }

    private void watch() {
        Runnable head = queue.peek();
        if (head != null && watched.compareAndSet(false, true)) {
            try {
                lookLater(head);
            } catch (Throwable noTimer) {
                watched.set(false); // this task is refused, and the next one tries again
                throw noTimer;
            }
        }
    }

    private void lookLater(Runnable head) {
        Future<?> unused = scheduler.schedule(() -> look(head), STALL_NANOS * (1 + added.get()));
    }

    private void look(Runnable headBefore) {
        Runnable head = queue.peek();
        if (head == null) {
            watched.set(false);
            watch(); // a task may have come between
            return;
        }
        try {
            if (head == headBefore) {
                addThread();
            }
            lookLater(head);
        } catch (Throwable noThread) {
            // The one that looks is a thread that may block. It does what the missing one would have done.
            watched.set(false);
            added.incrementAndGet();
            workOff();
            throw noThread;
        }
    }

    private void addThread() {
        added.incrementAndGet();
        boolean begun = false;
        try {
            newThread(this::workOff).start();
            begun = true;
        } finally {
            if (!begun) {
                added.decrementAndGet();
            }
        }
    }

    private void workOff() {
        try {
            Queue<Runnable> tasks = queue;
            for (@Nullable Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        } finally {
            added.decrementAndGet();
        }
    }
}
