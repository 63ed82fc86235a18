package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A clock whose threads are woken as late as a test says, and that takes the processor from a thread that wakes others. */
final class ScarceProcessors implements EngineScheduler {

    // immutable
    private final ManualTime clock;
    private final CountDownLatch given = new CountDownLatch(1);
    private final AtomicBoolean taken = new AtomicBoolean();
    final List<Thread> woken = new CopyOnWriteArrayList<>();

    // mutable
    /** How long after its wake-up a thread runs. */
    volatile Duration delay = Duration.ZERO;

    ScarceProcessors(ManualTime clock) {
        this.clock = clock;
    }

    /** The next thread that wakes another loses the processor by that. */
    void takeFromNextThatWakes() {
        taken.set(true);
    }

    /** Gives the processor back, for good. */
    void giveBack() {
        given.countDown();
    }

    @Override
    public void unpark(Thread thread) {
        boolean loses = taken.getAndSet(false);
        woken.add(thread);
        clock.advance(delay);
        LockSupport.unpark(thread);
        if (loses) {
            awaitProcessor();
        }
    }

    private void awaitProcessor() {
        try {
            assertThat(given.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public void park(Object blocker, long nanos) {
        clock.park(blocker, nanos);
    }

    @Override
    public void yieldProcessor() {
        clock.yieldProcessor();
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        return clock.schedule(task, nanos);
    }
}
