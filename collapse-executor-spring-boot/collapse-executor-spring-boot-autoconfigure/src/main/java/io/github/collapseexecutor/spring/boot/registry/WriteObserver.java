package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.sequence.SequenceSource;

/** Observes writers and sources of numbers that are beans: for what this package observes itself. Listeners of the application's are beans. */
public interface WriteObserver {

    /** Returns what is told of a writer's batches. */
    WriteListener listenerOfWriter(String writer);

    /** A writer was made. */
    void made(String name, CollapseExecutor writer);

    /** Returns a source of numbers whose use is observed. */
    SequenceSource measured(String name, SequenceSource source);
}
