package io.github.collapseexecutor.core;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Hands the outcomes of ended batches to their callers and tells the listener, and knows whether any batch is on its way from
 * its end to there.
 *
 * <p>Batches are counted for a thread that closes the executor: a future that it was given must be complete when {@code close}
 * returns. A caller that waits on its own thread takes its answer itself, so there a batch is counted for the listener alone.
 *
 * @param <I> the input
 * @param <O> what is bound to a call
 */
final class Deliveries<I extends @Nullable Object, O extends @Nullable Object> {

    /** For how long a thread yields at most while it delivers: it may be one that others wait for, as an event loop. */
    private static final long MOST_YIELDING_NANOS = 10_000_000;

    // immutable
    private final StartRule rule;
    private final EngineScheduler scheduler;
    private final Reporter reporter;
    private final Admission admission;
    private final boolean counts;

    // mutable, thread-safe
    private final DeliveryTime time = new DeliveryTime();
    /** Read when no group is left, so that it only falls, and a sum of 0 is true although it is read piece by piece. */
    private final LongAdder underWay = new LongAdder();

    Deliveries(StartRule rule, EngineScheduler scheduler, Reporter reporter, Admission admission, boolean toThreads) {
        this.rule = rule;
        this.scheduler = scheduler;
        this.reporter = reporter;
        this.admission = admission;
        this.counts = !toThreads || reporter.isListenedTo();
    }

    /** How long the answers of a batch take to reach its callers. */
    DeliveryTime time() {
        return time;
    }

    /** A batch is about to end; called while its group is in the table, so that a closing thread sees the one or the other. */
    void begin() {
        if (counts) {
            underWay.increment();
        }
    }

    /** Whether no batch is on its way; asked when no group is left. */
    boolean isIdle() {
        return underWay.sum() == 0 || isOnThisThread();
    }

    /** Whether the calling thread delivers further down its stack: code that it runs there must not wait for the delivery. */
    private static boolean isOnThisThread() {
        return Arrays.stream(new Throwable().getStackTrace())
                .skip(2) // the two methods that ask
                .anyMatch(frame -> frame.getClassName().equals(Deliveries.class.getName()));
    }

    /** Wakes the callers that wait on threads of theirs. */
    void toThreads(Batch<I, O> batch) {
        batch.deliver();
        end(batch);
    }

    /**
     * Delivers to callers that hold futures, and takes note of how long that takes. Between two callers the thread yields the
     * processor, so that what depends on the first future goes on while the others are completed, and does not pile up: where
     * processors are scarce, callers come back one after another, instead of all at the end. It does so for as long as a caller may
     * be made to wait for the sake of others.
     */
    void toFutures(Batch<I, O> batch) {
        if (batch.joined() == 1) {
            batch.deliver();
        } else {
            deliverYielding(batch);
        }
        end(batch);
    }

    private void deliverYielding(Batch<I, O> batch) {
        long begin = scheduler.nanoTime();
        long yielding = Math.min(MOST_YIELDING_NANOS, rule.shareOf(batch.endedAt() - batch.startedAt()));
        boolean yields = yielding > 0;
        while (batch.deliverNext()) {
            if (yields && batch.isUndelivered()) {
                scheduler.yieldProcessor();
                yields = scheduler.nanoTime() - begin < yielding;
            }
        }
        time.add(scheduler.nanoTime() - begin);
    }

    private void end(Batch<I, O> batch) {
        reporter.ended(batch);
        if (counts) {
            underWay.decrement();
            admission.wakeClosing();
        }
    }
}
