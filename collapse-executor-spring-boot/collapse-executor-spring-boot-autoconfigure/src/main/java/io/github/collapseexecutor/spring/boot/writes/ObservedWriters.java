package io.github.collapseexecutor.spring.boot.writes;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.spring.boot.registry.ListenersInTurn;
import io.github.collapseexecutor.spring.boot.registry.WriteObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Attaches the listener beans, and what this package observes itself, to writers and to sources of numbers. */
final class ObservedWriters {

    // immutable
    private final ObjectProvider<WriteListener> listeners;
    private final ObjectProvider<WriteObserver> observers;

    ObservedWriters(ObjectProvider<WriteListener> listeners, ObjectProvider<WriteObserver> observers) {
        this.listeners = listeners;
        this.observers = observers;
    }

    /** Returns what is told of a writer's batches; null for nothing. */
    @Nullable WriteListener listener(String writer) {
        List<WriteListener> told =
                ListenersInTurn.of(null, observers, observer -> observer.listenerOfWriter(writer), listeners);
        return told.isEmpty() ? null : batch -> ListenersInTurn.tell(told, listener -> listener.batchWritten(batch));
    }

    void made(String name, CollapseExecutor writer) {
        observers.orderedStream().forEach(observer -> observer.made(name, writer));
    }

    /** Returns a source of numbers whose use is observed. */
    SequenceSource observed(String name, SequenceSource source) {
        SequenceSource observed = source;
        for (WriteObserver observer : observers.orderedStream().toList()) {
            observed = observer.measured(name, observed);
        }
        return observed;
    }
}
