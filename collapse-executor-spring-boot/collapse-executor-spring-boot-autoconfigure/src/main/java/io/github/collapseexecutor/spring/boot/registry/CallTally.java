package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CallSummary;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;

/** Counts calls by what became of them. Of an executor that is no HTTP adapter, what its listener is told of batches says so. */
public interface CallTally {

    /** A caller has its answer, or has none and ends. */
    void call(Role role, Outcome outcome, long nanos);

    /** So many calls were not made, because another caller's call answered. */
    void saved(int number);

    /** The callers of a batch have their answers. */
    default void calls(BatchSummary batch) {
        Outcome outcome = switch (batch.outcome()) {
            case BOUND -> Outcome.ANSWERED;
            case FAILED -> Outcome.FAILED;
            case ABANDONED -> Outcome.CANCELLED;
        };
        int followers = 0;
        for (CallSummary call : batch.calls()) {
            Role role = roleOf(call, batch);
            call(role, outcome, call.waitNanos());
            followers += role == Role.FOLLOWER ? 1 : 0;
        }
        saved(followers);
    }

    private static Role roleOf(CallSummary call, BatchSummary batch) {
        if (call.role() != CallSummary.Role.LEADER) {
            return Role.FOLLOWER;
        }
        return batch.callers() > 1 ? Role.LEADER : Role.ALONE;
    }

    /** A caller has left its batch. */
    default void left(CallDeparture departure) {
        boolean timedOut = departure.reason() == CallDeparture.Reason.TIMED_OUT;
        call(Role.FOLLOWER, timedOut ? Outcome.TIMED_OUT : Outcome.CANCELLED, departure.waitNanos());
    }

    /** A caller was refused. */
    default void refused() {
        call(Role.FOLLOWER, Outcome.REJECTED, 0);
    }
}
