package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.sequence.SequenceSource;

/** Measures writers and sources of numbers that are beans. */
final class WriteMeters implements WriteObserver {

    // immutable
    private final CollapseMeters meters;

    WriteMeters(CollapseMeters meters) {
        this.meters = meters;
    }

    @Override
    public WriteListener listenerOfWriter(String writer) {
        return meters.writes();
    }

    @Override
    public void made(String name, CollapseExecutor writer) {
        meters.watch(name, writer);
    }

    @Override
    public SequenceSource observed(String name, SequenceSource source) {
        return meters.measured(name, source);
    }
}
