package io.github.collapseexecutor.jdbc.writer;

import io.github.collapseexecutor.core.BatchStart;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.GroupStall;

/**
 * Tells a user's listener all events of a writer. Before each, the writer of this thread hands over the batch that it keeps: the
 * listener might wait for that batch. Public for other packages of the library only.
 */
public final class WriterListener implements CollapseListener {

    // immutable
    private final CollapseListener listener;

    public WriterListener(CollapseListener listener) {
        this.listener = listener;
    }

    @Override
    public void batchStarted(BatchStart batch) {
        Writer.beforeUserCode();
        listener.batchStarted(batch);
    }

    @Override
    public void batchEnded(BatchSummary batch) {
        Writer.beforeUserCode();
        listener.batchEnded(batch);
    }

    @Override
    public void callLeft(CallDeparture departure) {
        Writer.beforeUserCode();
        listener.callLeft(departure);
    }

    @Override
    public void groupStalled(GroupStall stall) {
        Writer.beforeUserCode();
        listener.groupStalled(stall);
    }

    @Override
    public void callRefused(String executor, Object group, RuntimeException refusal) {
        Writer.beforeUserCode();
        listener.callRefused(executor, group, refusal);
    }
}
