package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The roles and waits of the callers of a batch, taken before delivery, so that a summary keeps none of the callers. */
final class CallTimes {

    private CallTimes() {}

    static <I extends @Nullable Object, O extends @Nullable Object> List<CallSummary> of(Batch<I, O> batch) {
        List<CallSummary> calls = new ArrayList<>(batch.callers());
        for (Call<I, O> call = batch.first(); call != null; call = call.next) {
            add(call, batch.isLedBy(call) ? CallSummary.Role.LEADER : CallSummary.Role.FOLLOWER, calls);
        }
        for (Call<I, O> call = batch.firstSharer(); call != null; call = call.next) {
            add(call, CallSummary.Role.JOINED_IN_FLIGHT, calls);
        }
        return calls;
    }

    private static void add(Call<?, ?> call, CallSummary.Role role, List<CallSummary> calls) {
        if (!call.hasLeft()) {
            calls.add(new CallSummary(role, call.batch().endedAt() - call.submittedAt));
        }
    }
}
