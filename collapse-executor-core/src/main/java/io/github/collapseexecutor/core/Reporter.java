package io.github.collapseexecutor.core;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Tells the listener of an executor what happens, if there is one; without one it does nothing and nothing is prepared for it. */
final class Reporter {

    // immutable
    private final String name;
    private final EngineScheduler scheduler;
    private final @Nullable CollapseListener listener;
    private final Contained userCode;

    // mutable, by itself
    private final AtomicLong lastBatch = new AtomicLong();

    Reporter(CollapseOptions options, EngineScheduler scheduler, Contained userCode) {
        this.name = options.name();
        this.scheduler = scheduler;
        this.listener = options.listener();
        this.userCode = userCode;
    }

    boolean isListenedTo() {
        return listener != null;
    }

    /** Has a batch that has just been opened keep a record, under the group's lock. */
    void opened(Batch<?, ?> batch) {
        if (listener != null) {
            batch.keep(new BatchRecord(lastBatch.incrementAndGet()));
        }
    }

    /** Takes note of when a call is submitted, before it is. */
    void submitting(Call<?, ?> call) {
        if (listener != null) {
            call.submittedAt = scheduler.nanoTime();
        }
    }

    /** A call was refused; returns what its caller gets. */
    <X extends RuntimeException> X refused(Object group, X refusal) {
        CollapseListener told = listener;
        if (told != null) {
            userCode.run(() -> told.callRefused(name, group, refusal));
        }
        return refusal;
    }

    /** Callers of a group have waited long for a place, or null if that is not so. */
    void stalled(@Nullable GroupStall stall) {
        CollapseListener told = listener;
        if (told != null && stall != null) {
            userCode.run(() -> told.groupStalled(stall));
        }
    }

    /** A batch is about to be executed for the first time. */
    void started(Batch<?, ?> batch) {
        CollapseListener told = listener;
        if (told != null && !batch.ranTwice()) {
            userCode.run(() -> told.batchStarted(new BatchStart(name, batch)));
        }
    }

    /** A caller has left its batch. */
    void left(Call<?, ?> call, CallDeparture.Reason reason) {
        CollapseListener told = listener;
        if (told != null) {
            boolean started = call.hasLeftInFlight();
            CallDeparture departure = new CallDeparture(name, call, reason, started, scheduler.nanoTime());
            userCode.run(() -> told.callLeft(departure));
        }
    }

    /** A batch is ending; its outcomes are not visible yet. */
    void ending(Batch<?, ?> batch) {
        if (listener != null) {
            batch.record().summarize(CallTimes.of(batch));
        }
    }

    /** A batch has ended, and its callers have been delivered to. */
    void ended(Batch<?, ?> batch) {
        CollapseListener told = listener;
        if (told != null) {
            userCode.run(() -> told.batchEnded(new BatchSummary(name, batch)));
        }
    }
}
