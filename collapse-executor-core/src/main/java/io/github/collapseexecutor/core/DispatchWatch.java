package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sees that no batch is lost with a task that an executor drops without a word, as a pool does that is shut down at once or
 * discards what it has no room for.
 *
 * <p>A task that is dropped cannot be told from one that waits long for a thread. So a batch that has not been begun a
 * second after its dispatch is dispatched again, then when it is twice as old, and so on: few tasks too many where the
 * executor is slow. There is no timer while no batch is in the hands of an executor, but for the rest of the last second.
 *
 * @param <B> a batch
 */
final class DispatchWatch<B> {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    // immutable
    private final EngineScheduler scheduler;
    private final Predicate<B> waits;
    private final Consumer<B> dispatchAgain;

    // mutable, by themselves
    private final Map<B, Dispatched> batches = new ConcurrentHashMap<>();
    /** A timer is set. */
    private final AtomicBoolean watched = new AtomicBoolean();

    /** When a batch was dispatched, and is to be looked at; confined to the task of the timer. */
    private static final class Dispatched {

        final long at;
        long due;

        Dispatched(long now) {
            at = now;
            due = now + SECOND;
        }
    }

    /**
     * Makes a watch.
     *
     * @param waits whether a batch is still to be begun
     * @param dispatchAgain called for a batch that waits for long
     */
    DispatchWatch(EngineScheduler scheduler, Predicate<B> waits, Consumer<B> dispatchAgain) {
        this.scheduler = scheduler;
        this.waits = waits;
        this.dispatchAgain = dispatchAgain;
    }

    /** An executor has been given a batch, and may have begun it. */
    void add(B batch) {
        batches.put(batch, new Dispatched(scheduler.nanoTime()));
        if (!waits.test(batch)) {
            batches.remove(batch);
        }
        watch();
    }

    /** A batch has been begun. */
    void remove(B batch) {
        batches.remove(batch);
    }

    /** The batches that executors have been given and may not have begun. */
    List<B> batches() {
        return new ArrayList<>(batches.keySet());
    }

    private void watch() {
        if (!batches.isEmpty() && watched.compareAndSet(false, true)) {
            lookLater();
        }
    }

    private void lookLater() {
        Future<?> unused = scheduler.scheduleCheck(this::look, SECOND);
    }

    private void look() {
        long now = scheduler.nanoTime();
        List<B> late = new ArrayList<>();
        batches.keySet().removeIf(batch -> !waits.test(batch));
        batches.forEach((batch, dispatched) -> {
            if (dispatched.due - now <= 0) {
                dispatched.due = now + (now - dispatched.at);
                late.add(batch);
            }
        });
        watched.set(false);
        watch(); // before the executors are asked, which may block
        late.forEach(dispatchAgain);
    }
}
