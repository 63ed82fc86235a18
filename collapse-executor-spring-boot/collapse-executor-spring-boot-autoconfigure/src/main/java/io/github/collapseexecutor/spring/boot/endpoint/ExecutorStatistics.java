package io.github.collapseexecutor.spring.boot.endpoint;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.GroupStall;

/** Counts, for the endpoint, what an executor that is no HTTP adapter has done: all of it by what its listener is told. */
final class ExecutorStatistics implements CollapseListener {

    // immutable
    private final SectionStatistics counted;

    ExecutorStatistics(SectionStatistics counted) {
        this.counted = counted;
    }

    @Override
    public void batchEnded(BatchSummary batch) {
        counted.batchEnded(batch);
        counted.calls(batch);
        counted.failed(batch.failure());
    }

    @Override
    public void callLeft(CallDeparture departure) {
        counted.left(departure);
    }

    @Override
    public void groupStalled(GroupStall stall) {
        counted.groupStalled(stall);
    }

    @Override
    public void callRefused(String executor, Object group, RuntimeException refusal) {
        counted.refused();
        counted.failed(refusal);
    }
}
