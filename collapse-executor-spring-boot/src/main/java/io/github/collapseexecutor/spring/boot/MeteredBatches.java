package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CallSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;

/** Measures what an executor tells of its batches. */
final class MeteredBatches implements CollapseListener {

    // immutable
    private final CollapseMeters meters;
    /** Whether callers are measured, too: what a request of an HTTP adapter comes to, its batch does not know. */
    private final boolean measuresCalls;

    MeteredBatches(CollapseMeters meters, boolean measuresCalls) {
        this.meters = meters;
        this.measuresCalls = measuresCalls;
    }

    @Override
    public void batchEnded(BatchSummary batch) {
        meters.measure(batch.executor(), measured -> {
            measured.batch(batch.outcome(), batch.size(), batch.waitNanos(), batch.durationNanos());
            if (measuresCalls) {
                measureCalls(measured, batch);
            }
        });
    }

    private static void measureCalls(ExecutorMeters measured, BatchSummary batch) {
        Outcome outcome = switch (batch.outcome()) {
            case BOUND -> Outcome.ANSWERED;
            case FAILED -> Outcome.FAILED;
            case ABANDONED -> Outcome.CANCELLED;
        };
        for (CallSummary call : batch.calls()) {
            measured.call(roleOf(call, batch), outcome, call.waitNanos());
        }
        int made = batch.ranTwice() ? 2 : 1;
        measured.saved(Math.max(0, batch.calls().size() - made));
    }

    private static Role roleOf(CallSummary call, BatchSummary batch) {
        if (call.role() != CallSummary.Role.LEADER) {
            return Role.FOLLOWER;
        }
        return batch.callers() > 1 ? Role.LEADER : Role.ALONE;
    }

    @Override
    public void callLeft(CallDeparture departure) {
        if (measuresCalls) {
            Outcome outcome =
                    departure.reason() == CallDeparture.Reason.TIMED_OUT ? Outcome.TIMED_OUT : Outcome.CANCELLED;
            meters.measure(
                    departure.executor(), measured -> measured.call(Role.FOLLOWER, outcome, departure.waitNanos()));
        }
    }

    @Override
    public void callRefused(String executor, Object group, RuntimeException refusal) {
        if (measuresCalls) {
            meters.measure(executor, measured -> measured.call(Role.FOLLOWER, Outcome.REJECTED, 0));
        }
    }
}
