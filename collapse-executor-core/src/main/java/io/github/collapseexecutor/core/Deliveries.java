package io.github.collapseexecutor.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Predicate;
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

    /** How long a caller's dependents may hold up the delivery to the callers after it. */
    private static final long LATE_NANOS = 100_000_000;

    // immutable
    private final StartRule rule;
    private final EngineScheduler scheduler;
    private final Reporter reporter;
    private final Admission admission;
    private final boolean counts;
    private final LateWatch<Batch<I, O>> watch;

    // mutable, thread-safe
    private final DeliveryTime time = new DeliveryTime();
    /** How many batches each thread has ended and not delivered yet. It delivers those that it has ended. */
    private final Map<Thread, Integer> underWay = new ConcurrentHashMap<>();

    Deliveries(
            StartRule rule,
            EngineScheduler scheduler,
            Reporter reporter,
            Admission admission,
            boolean toThreads,
            Contained userCode) {
        this.rule = rule;
        this.scheduler = scheduler;
        this.reporter = reporter;
        this.admission = admission;
        this.counts = !toThreads || reporter.isListenedTo();
        this.watch = new LateWatch<>(scheduler, LATE_NANOS, Batch::isUndelivered, this::takeOverElsewhere, userCode);
    }

    /** How long the answers of a batch take to reach its callers. */
    DeliveryTime time() {
        return time;
    }

    /** A batch is about to end; called while its group is in the table, so that a closing thread sees the one or the other. */
    void begin() {
        if (counts) {
            underWay.merge(Thread.currentThread(), 1, Integer::sum);
        }
    }

    /**
     * Whether no batch is on its way, but to be delivered by threads that wait for just that, further up their stacks: none of
     * them must wait for itself or another of them. Asked when no group is left, so that no thread comes that was not there before.
     */
    boolean isIdle(Predicate<Thread> closes) {
        for (Thread delivering : underWay.keySet()) {
            if (!closes.test(delivering)) {
                return false;
            }
        }
        return true;
    }

    /** Wakes the callers that wait on threads of theirs. */
    void toThreads(Batch<I, O> batch) {
        batch.deliver();
        end(batch);
    }

    /** Does the same for a batch whose leader, if it is present, is the calling thread's: a lone leader waits for nothing. */
    void toFollowers(Batch<I, O> batch) {
        if (batch.joined() > 1) {
            batch.deliver();
        }
        end(batch);
    }

    /**
     * Delivers to callers that hold futures, and takes note of how long that takes. Between two callers the thread yields the
     * processor, so that what depends on the first future goes on while the others are completed, and does not pile up: where
     * processors are scarce, callers come back one after another, instead of all at the end. It does so for as long as a caller may wait for the sake of
     * others.
     */
    void toFutures(Batch<I, O> batch) {
        if (batch.joined() == 1) {
            batch.deliver();
        } else {
            watch.add(batch);
            deliverYielding(batch);
            watch.remove(batch);
        }
        end(batch);
    }

    /** A dependent of a caller holds up the thread that delivers: another one goes on with the rest. */
    private void takeOverElsewhere(Batch<I, O> batch) {
        Future<?> unused = scheduler.schedule(() -> takeOver(batch), 0);
    }

    private void takeOver(Batch<I, O> batch) {
        begin();
        try {
            batch.deliver();
        } finally {
            delivered();
        }
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
        delivered();
    }

    private void delivered() {
        if (counts) {
            underWay.computeIfPresent(Thread.currentThread(), (thread, batches) -> batches == 1 ? null : batches - 1);
            admission.wakeClosing();
        }
    }
}
