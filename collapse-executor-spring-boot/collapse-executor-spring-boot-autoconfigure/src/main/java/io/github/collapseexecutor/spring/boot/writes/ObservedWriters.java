package io.github.collapseexecutor.spring.boot.writes;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.spring.boot.observe.WriteMeters;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.github.collapseexecutor.spring.boot.registry.ListenersInTurn;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Attaches the listener beans, and meters where there are any, to writers and to sources of numbers. */
record ObservedWriters(
        ObjectProvider<WriteListener> listeners,
        ObjectProvider<WriteMeters> meters,
        ObjectProvider<ExecutorObserver> observers) {

    /** Returns what is told of batches; null for nothing. */
    @Nullable WriteListener listener() {
        return ListenersInTurn.of(
                null,
                meters,
                WriteMeters::writes,
                listeners,
                told -> batch -> ListenersInTurn.tell(told, listener -> listener.batchWritten(batch)));
    }

    void made(String name, CollapseExecutor writer) {
        observers.orderedStream().forEach(observer -> observer.made(name, writer));
    }

    /** Returns a source of numbers whose use is measured. */
    SequenceSource observed(String name, SequenceSource source) {
        WriteMeters present = meters.getIfAvailable();
        return present == null ? source : present.measured(name, source);
    }
}
