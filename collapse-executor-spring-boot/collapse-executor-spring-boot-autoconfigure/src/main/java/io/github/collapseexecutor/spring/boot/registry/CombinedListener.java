package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.BatchStart;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.GroupStall;
import java.util.List;

/** Tells several listeners of batches, in their order; one that throws keeps nothing from those behind it. */
record CombinedListener(List<CollapseListener> listeners) implements CollapseListener {

    @Override
    public void batchStarted(BatchStart batch) {
        ListenersInTurn.tell(listeners, listener -> listener.batchStarted(batch));
    }

    @Override
    public void batchEnded(BatchSummary batch) {
        ListenersInTurn.tell(listeners, listener -> listener.batchEnded(batch));
    }

    @Override
    public void callLeft(CallDeparture departure) {
        ListenersInTurn.tell(listeners, listener -> listener.callLeft(departure));
    }

    @Override
    public void groupStalled(GroupStall stall) {
        ListenersInTurn.tell(listeners, listener -> listener.groupStalled(stall));
    }

    @Override
    public void callRefused(String executor, Object group, RuntimeException refusal) {
        ListenersInTurn.tell(listeners, listener -> listener.callRefused(executor, group, refusal));
    }
}
