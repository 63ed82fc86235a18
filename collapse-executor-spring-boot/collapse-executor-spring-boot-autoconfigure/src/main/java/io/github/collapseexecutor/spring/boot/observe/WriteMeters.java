package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;

/**
 * Micrometer's meters of writers and sequences. Those that are beans of the auto-configuration are measured; one of the application's own is
 * measured by what this returns, which does not slow it. Thread-safe.
 *
 * <p>Apart from {@link CollapseMeters}, because an application may be without collapse-executor-jdbc.
 */
public final class WriteMeters {

    // immutable
    private final CollapseMeters meters;

    /**
     * Creates meters of writers.
     *
     * @param meters what they belong to
     */
    public WriteMeters(CollapseMeters meters) {
        this.meters = meters;
    }

    /**
     * Returns a listener that counts the rows and the commits of a writer, under the writer's name: {@code collapse.rows} and {@code
     * collapse.commits}. It is set as its {@code writeListener}.
     *
     * @return a listener, for any number of writers
     */
    public WriteListener writes() {
        return new MeteredWrites(meters);
    }

    /**
     * Returns a source that counts the numbers that are taken and the round trips for them: {@code collapse.numbers} and {@code
     * collapse.round.trips}.
     *
     * @param name a name of a fixed set, for example the {@link io.github.collapseexecutor.core.CollapseOptions#name() name} of the
     *     options
     * @param source where the numbers come from
     * @return a source, for {@link Sequences#of(SequenceSource)}
     */
    public SequenceSource measured(String name, SequenceSource source) {
        return new MeteredSource(meters, name, source);
    }
}
