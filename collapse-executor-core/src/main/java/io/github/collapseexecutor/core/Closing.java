package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** The end of an engine: a thread that closes it waits here until nothing is left of it. */
final class Closing {

    /** The longest time that can be counted in nanoseconds. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE - 1);

    // immutable
    private final EngineScheduler scheduler;

    // mutable, thread-safe
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    /** The time to drain is over; set once. */
    private volatile boolean over;

    Closing(EngineScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Has the waiting threads look again, but the calling one, which runs. */
    void wake() {
        for (Thread thread : waiting) {
            if (thread != Thread.currentThread()) {
                scheduler.unpark(thread);
            }
        }
    }

    /** The time to drain is over. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Whether a thread closes the engine. */
    boolean isAwaitedBy(Thread thread) {
        return waiting.contains(thread);
    }

    /**
     * Waits until nothing is left.
     *
     * @return whether nothing is left; false if the deadline passed or the thread was interrupted before, which it still is
     */
    boolean await(BooleanSupplier nothingLeft, Duration drain) {
        Thread thread = Thread.currentThread();
        long start = scheduler.nanoTime();
        waiting.add(thread);
        wake(); // what this thread would still deliver, no other one waits for any more
        try {
            while (!nothingLeft.getAsBoolean()) {
                long left = remaining(drain, scheduler.nanoTime() - start);
                if (left <= 0 || thread.isInterrupted()) {
                    return false;
                }
                scheduler.park(this, left);
            }
            return true;
        } finally {
            waiting.remove(thread);
        }
    }

    private static long remaining(Duration drain, long passedNanos) {
        if (drain.isNegative()) {
            return 0;
        }
        Duration left = drain.minusNanos(passedNanos);
        return (left.compareTo(LONGEST) < 0 ? left : LONGEST).toNanos();
    }
}
