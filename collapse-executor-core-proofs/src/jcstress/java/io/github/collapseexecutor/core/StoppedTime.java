package io.github.collapseexecutor.core;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still: a thread that waits is woken by a signal alone, and a timer rings when an actor says so.
 *
 * <p>A thread that parks really parks. A wake-up that is lost is an exception out of the call that waits for it, and from then on
 * out of every call that would wait, so that the run comes to its end.
 */
final class StoppedTime implements EngineScheduler {

    /** How often to look for a permit before the thread sleeps, because sleeping takes longer than the other actor. */
    private static final int SPINS = 200;

    /** How long nobody has to wait, however busy the machine. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static volatile boolean lost;

    volatile long now;
    /** The timer that was set last. */
    final AtomicReference<FutureTask<Void>> timer = new AtomicReference<>();
    /** Timers that were set and have neither rung nor been cancelled. */
    final AtomicInteger timers = new AtomicInteger();

    @Override
    public long nanoTime() {
        return now;
    }

    /** Waits for a signal, whatever the bound, because the clock stands. */
    @Override
    public void park(Object blocker, long nanos) {
        for (int spin = 0; spin < SPINS; spin++) {
            Thread.onSpinWait();
        }
        long asleep = System.nanoTime();
        LockSupport.parkNanos(blocker, LOST_NANOS);
        if (lost || System.nanoTime() - asleep >= LOST_NANOS) {
            lost = true;
            throw new IllegalStateException("A caller waits whom nobody wakes");
        }
    }

    @Override
    public void yieldProcessor() {
        Thread.onSpinWait();
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        timers.incrementAndGet();
        FutureTask<Void> set = new FutureTask<>(task, null) {
            @Override
            protected void done() {
                timers.decrementAndGet();
            }
        };
        timer.set(set);
        return set;
    }

    /** Lets the timer that was set last ring, unless it was cancelled. */
    void ring() {
        timer.get().run();
    }

    /** Nothing goes wrong here. */
    @Override
    public Future<?> scheduleCheck(Runnable task, long nanos) {
        return new FutureTask<>(task, null);
    }
}
