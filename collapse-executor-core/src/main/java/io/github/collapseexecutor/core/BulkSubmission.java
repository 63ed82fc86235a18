package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The follow-up of many calls of one group that were submitted together: what their runner has to do. */
final class BulkSubmission<I extends @Nullable Object, O extends @Nullable Object> {

    // mutable, confined to the submitting thread
    /** How many of the calls were taken; the rest is to be submitted later. */
    int taken;
    /** Batches that the runner dispatches. */
    final List<Batch<I, O>> released = new ArrayList<>();
    /** Batches that are to be signalled: they are not due yet. */
    final List<Batch<I, O>> signalled = new ArrayList<>();

    private Map<Call<I, O>, Throwable> failures = Collections.emptyMap();

    /** A call could not be submitted: nothing has happened to it. */
    void fail(Call<I, O> call, Throwable failure) {
        if (failures.isEmpty()) {
            failures = new HashMap<>();
        }
        failures.put(call, failure);
    }

    /** The failure of a call that could not be submitted; null for one that was. */
    @Nullable Throwable failureOf(Call<I, O> call) {
        return failures.get(call);
    }
}
