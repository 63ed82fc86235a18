package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/** Time as a {@link Scheduler} will have it: each look at the clock, each wait and each wake-up is a place to be overtaken. */
final class ScheduledTime implements EngineScheduler {

    // immutable
    private final Scheduler scheduler;
    /** Whether the calling thread holds a lock that another may want, so that it must not be overtaken. */
    private final BooleanSupplier holdsLock;

    private final Runnable waiting;
    private final Executor spareThreads;

    // mutable, confined to the thread whose turn it is
    private final List<Timer> timers = new ArrayList<>();
    private final List<Parked> parked = new ArrayList<>();
    private long now = Long.MAX_VALUE - 1_000; // soon to overflow, as nanoTime may

    private static final class Timer extends FutureTask<Void> {

        final long due;

        Timer(Runnable task, long due) {
            super(task, null);
            this.due = due;
        }

        @Override
        protected void setException(Throwable thrown) {
            throw new AssertionError("a timer's task must not throw", thrown);
        }
    }

    private static final class Parked {

        final long due;

        Parked(long due) {
            this.due = due;
        }
    }

    /**
     * Makes a clock.
     *
     * @param waiting told by each thread that is about to wait
     */
    ScheduledTime(Scheduler scheduler, BooleanSupplier holdsLock, Runnable waiting) {
        this.scheduler = scheduler;
        this.holdsLock = holdsLock;
        this.waiting = waiting;
        this.spareThreads = task -> scheduler.spawn("spare thread", task);
    }

    @Override
    public Executor spareThreads() {
        return spareThreads;
    }

    @Override
    public long nanoTime() {
        if (!holdsLock.getAsBoolean()) {
            scheduler.pause("looks at the clock");
        }
        return now;
    }

    @Override
    public void park(Object blocker, long nanos) {
        waiting.run();
        Scheduler.Actor self = Scheduler.Actor.current();
        boolean timed = nanos != Long.MAX_VALUE;
        Parked place = new Parked(now + (timed ? nanos : 0));
        if (timed) {
            parked.add(place);
        }
        scheduler.await(
                timed ? "parked for a time" : "parked",
                () -> self.hasPermit() || self.isInterrupted() || (timed && place.due - now <= 0));
        parked.remove(place);
        self.consumePermit();
    }

    @Override
    public void unpark(Thread thread) {
        scheduler.pause("wakes somebody");
        Scheduler.Actor actor = Scheduler.Actor.of(thread);
        if (actor != null) {
            actor.unpark();
        }
    }

    @Override
    public void yieldProcessor() {
        waiting.run();
        scheduler.pause("yields");
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        Timer timer = new Timer(task, now + nanos);
        timers.add(timer);
        scheduler.pause("sets a timer");
        return timer;
    }

    long now() {
        return now;
    }

    int timers() {
        timers.removeIf(Future::isDone);
        return timers.size();
    }

    /** Nanoseconds to what is due next of all that waits for the clock, or {@link Long#MAX_VALUE} if nothing does. */
    long untilNextDue() {
        timers.removeIf(Future::isDone);
        return LongStream.concat(
                        timers.stream().mapToLong(timer -> timer.due - now),
                        parked.stream().mapToLong(place -> place.due - now))
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Advances the clock; what is due then may go on. */
    void advance(long nanos) {
        now += nanos;
        for (Timer timer : List.copyOf(timers)) {
            if (timer.due - now <= 0) {
                timers.remove(timer);
                scheduler.spawn("timer", timer);
            }
        }
    }

    @Override
    public long stallNanos() {
        return Long.MAX_VALUE;
    }

    /** Nothing goes wrong here. */
    @Override
    public Future<?> scheduleCheck(Runnable task, long nanos) {
        return new FutureTask<>(task, null);
    }
}
