package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.BatchStart;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.GroupStall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells several listeners of batches, in their order; one that throws keeps nothing from those behind it. */
final class CombinedListener implements CollapseListener {

    // immutable
    private final List<CollapseListener> listeners;

    private CombinedListener(List<CollapseListener> listeners) {
        this.listeners = listeners;
    }

    /** Returns one listener for all; null for none. */
    static @Nullable CollapseListener of(List<CollapseListener> listeners) {
        return switch (listeners.size()) {
            case 0 -> null;
            case 1 -> listeners.get(0);
            default -> new CombinedListener(List.copyOf(listeners));
        };
    }

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
