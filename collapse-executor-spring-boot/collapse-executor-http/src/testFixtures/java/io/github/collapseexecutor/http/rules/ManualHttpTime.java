package io.github.collapseexecutor.http.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until a test advances it, with the tasks that wait for it. */
public final class ManualHttpTime implements HttpTime {

    /** Shortly before the overflow that {@link System#nanoTime()} may reach, too. */
    private static final long START = Long.MAX_VALUE - 1_000;

    private static final Instant EPOCH = Instant.parse("2026-11-22T10:00:00Z");

    private final AtomicLong now = new AtomicLong(START);
    private final List<Task> tasks = new CopyOnWriteArrayList<>();

    private static final class Task extends FutureTask<Void> {

        final long due;

        Task(Runnable task, long due) {
            super(task, null);
            this.due = due;
        }
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    @Override
    public Instant now() {
        return EPOCH.plusNanos(now.get() - START);
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        Task scheduled = new Task(task, now.get() + nanos);
        tasks.add(scheduled);
        return scheduled;
    }

    /** Advances the clock and runs what is due then, on this thread. */
    public void advance(Duration duration) {
        long reached = now.addAndGet(duration.toNanos());
        for (Task task : new ArrayList<>(tasks)) {
            if (task.due - reached <= 0 && tasks.remove(task)) {
                task.run();
            }
        }
    }

    /** How many tasks wait for the clock. */
    public int scheduled() {
        tasks.removeIf(Future::isDone);
        return tasks.size();
    }
}
