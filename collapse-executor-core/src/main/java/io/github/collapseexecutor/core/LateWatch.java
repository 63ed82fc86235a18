package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sees to batches that something has taken long for: ones that an executor was given and has not begun, and may have dropped without
 * a word as a pool does that is shut down at once; ones whose delivery a dependent of a caller holds up.
 *
 * <p>A batch that still waits after a period is seen to, again when it is twice as old, and so on. There is no timer while no batch is
 * watched, but for the rest of the last period.
 *
 * @param <B> a batch
 */
final class LateWatch<B> {

    // immutable
    private final EngineScheduler scheduler;
    private final long period;
    private final Predicate<B> waits;
    private final Consumer<B> late;
    private final Contained userCode;

    // mutable, by themselves
    private final Map<B, Watched> batches = new ConcurrentHashMap<>();
    /** A timer is set. */
    private final AtomicBoolean watched = new AtomicBoolean();

    /** Since when a batch is watched, and when it is to be looked at; confined to the task of the timer. */
    private static final class Watched {

        final long at;
        long due;

        Watched(long now, long period) {
            at = now;
            due = now + period;
        }
    }

    /**
     * Makes a watch.
     *
     * @param period nanoseconds after which a batch is late
     * @param waits whether a batch still waits
     * @param late called for a batch that still waits
     */
    LateWatch(EngineScheduler scheduler, long period, Predicate<B> waits, Consumer<B> late, Contained userCode) {
        this.scheduler = scheduler;
        this.period = period;
        this.waits = waits;
        this.late = late;
        this.userCode = userCode;
    }

    /** Watches a batch, which may wait no longer. */
    void add(B batch) {
        batches.put(batch, new Watched(scheduler.nanoTime(), period));
        if (!waits.test(batch)) {
            batches.remove(batch);
        }
        watch();
    }

    /** A batch waits no longer. */
    void remove(B batch) {
        batches.remove(batch);
    }

    private void watch() {
        if (!batches.isEmpty() && watched.compareAndSet(false, true)) {
            lookLater();
        }
    }

    private void lookLater() {
        try {
            Future<?> unused = scheduler.scheduleCheck(this::look, period);
        } catch (Throwable noTimer) {
            watched.set(false); // the next batch tries again
            userCode.report(noTimer);
        }
    }

    private void look() {
        long now = scheduler.nanoTime();
        List<B> overdue = new ArrayList<>();
        batches.keySet().removeIf(batch -> !waits.test(batch));
        batches.forEach((batch, watched) -> {
            if (watched.due - now <= 0) {
                watched.due = now + (now - watched.at);
                overdue.add(batch);
            }
        });
        watched.set(false);
        watch(); // before what may block
        overdue.forEach(late);
    }
}
