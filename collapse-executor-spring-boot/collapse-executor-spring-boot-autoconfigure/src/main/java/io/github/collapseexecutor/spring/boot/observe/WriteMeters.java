package io.github.collapseexecutor.spring.boot.observe;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.jdbc.WriteSummary;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer's meters of writers and sequences. Those that are beans of the auto-configuration are measured; one of the application's own is
 * measured by what this returns, which does not slow it. Thread-safe.
 *
 * <p>Apart from {@link CollapseMeters}, because an application may be without collapse-executor-jdbc.
 */
public final class WriteMeters {

    private static final String ROWS = "collapse.rows";
    private static final String COMMITS = "collapse.commits";

    /** Counts the numbers that are taken of a source, and the round trips for them. */
    private record MeteredSource(CollapseMeters meters, String name, SequenceSource source) implements SequenceSource {

        @Override
        public long[] take(String sequence, int count) throws Exception {
            long[] numbers;
            try {
                numbers = source.take(sequence, count);
            } catch (Throwable failure) {
                measure("failed", 0);
                throw failure;
            }
            measure("taken", numbers.length);
            return numbers;
        }

        @Override
        public @Nullable DataSource dataSource() {
            return source.dataSource();
        }

        private void measure(String outcome, int numbers) {
            for (ExecutorMeters measured : meters.of(name)) {
                measured.count("collapse.round.trips", outcome, 1);
                measured.count("collapse.numbers", "taken", numbers);
            }
        }
    }

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
        return this::count;
    }

    private void count(WriteSummary batch) {
        for (ExecutorMeters measured : meters.of(batch.writer())) {
            measured.count(ROWS, "written", batch.written());
            measured.count(ROWS, "unchanged", batch.unchanged());
            measured.count(ROWS, "failed", batch.failed());
            measured.count(ROWS, "unknown", batch.unknown());
            measured.count(COMMITS, "committed", batch.commits());
            measured.count(COMMITS, "rolled-back", batch.rollbacks());
            measured.count(COMMITS, "unknown", batch.commitsUnknown());
        }
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
        return new MeteredSource(meters, requireNonNull(name, "name"), requireNonNull(source, "source"));
    }
}
