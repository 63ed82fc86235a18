package io.github.collapseexecutor.spring.boot.observe;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sequence.SequenceSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts the numbers that are taken of a source, and the round trips for them. */
final class MeteredSource implements SequenceSource {

    // immutable
    private final CollapseMeters meters;
    private final String name;
    private final SequenceSource source;

    MeteredSource(CollapseMeters meters, String name, SequenceSource source) {
        this.meters = meters;
        this.name = requireNonNull(name, "name");
        this.source = requireNonNull(source, "source");
    }

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
