package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands until a test advances it, with the threads and timers that wait for it. */
final class ManualTime implements EngineScheduler {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000); // soon to overflow, as nanoTime may
    private final Map<Thread, Long> parked = new ConcurrentHashMap<>();
    private final List<Timer> timers = new CopyOnWriteArrayList<>();
    /** Timers that nobody waits for. */
    private final List<Timer> checks = new CopyOnWriteArrayList<>();

    private final AtomicReference<Runnable> duringYield = new AtomicReference<>(() -> {});
    final AtomicInteger yields = new AtomicInteger();
    /** What happens just when a timer is cancelled. */
    volatile Runnable whenCancelled = () -> {};

    private final class Timer extends FutureTask<Void> {

        final long due;

        Timer(Runnable task, long due) {
            super(task, null);
            this.due = due;
        }

        @Override
        protected void done() {
            if (isCancelled()) {
                whenCancelled.run();
            }
        }
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    @Override
    public void park(Object blocker, long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(blocker);
            return;
        }
        parked.put(Thread.currentThread(), now.get() + nanos);
        LockSupport.park(blocker);
        parked.remove(Thread.currentThread());
    }

    @Override
    public void yieldProcessor() {
        yields.incrementAndGet();
        duringYield.getAndSet(() -> {}).run();
    }

    /** Says what happens while the processor is yielded for the next time. */
    void duringNextYield(Runnable task) {
        duringYield.set(task);
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        Timer timer = new Timer(task, now.get() + nanos);
        timers.add(timer);
        return timer;
    }

    @Override
    public Future<?> scheduleCheck(Runnable task, long nanos) {
        Timer timer = new Timer(task, now.get() + nanos);
        checks.add(timer);
        return timer;
    }

    /** Advances the clock and lets everything happen that is due then. */
    void advance(Duration duration) {
        long reached = now.addAndGet(duration.toNanos());
        for (Map.Entry<Thread, Long> entry : parked.entrySet()) {
            if (entry.getValue() - reached <= 0) {
                LockSupport.unpark(entry.getKey());
            }
        }
        runDue(timers, reached);
        runDue(checks, reached);
    }

    private static void runDue(List<Timer> timers, long reached) {
        for (Timer timer : new ArrayList<>(timers)) {
            if (timer.due - reached <= 0 && timers.remove(timer)) {
                timer.run();
            }
        }
    }

    int checks() {
        return checks.size();
    }

    /** Waits until somebody waits for the clock: a thread that is parked for a time, or a timer. */
    void awaitSomebodyTimed() {
        Eventually.until(() -> timed() > 0);
    }

    int timed() {
        timers.removeIf(Future::isDone);
        return parked.size() + timers.size();
    }
}
