package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.spring.boot.registry.CallTally;

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
        for (ExecutorMeters measured : meters.named(batch.executor()).all()) {
            measured.batch(batch);
            if (measuresCalls) {
                measured.calls(batch);
            }
        }
    }

    @Override
    public void callLeft(CallDeparture departure) {
        if (measuresCalls) {
            meters.named(departure.executor()).all().forEach(measured -> measured.left(departure));
        }
    }

    @Override
    public void callRefused(String executor, Object group, RuntimeException refusal) {
        if (measuresCalls) {
            meters.named(executor).all().forEach(CallTally::refused);
        }
    }
}
