package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch of parts: merged by row at first, and divided where the database refuses the merged part.
 *
 * <p>A merged part that changes the row is taken, with all that it was made of. One that does not says only that not all of it
 * fits. Then the row's state is read, the parts are gone through in order, each that fits beside those before it is taken,
 * and these are merged and written again. If that is refused too, another writer has been there since: the state is read again.
 * It decides nothing itself, so it needs no lock and no transaction. After a few times, or if there is no way to read a state,
 * each part becomes an update of its own, in order, in one transaction, and the database says of each whether it fits.
 *
 * <p>What is written goes through {@link BatchWriter}, whose answer is certain or said to be unknown; parts are written again
 * only after one that says that they were certainly not.
 */
final class MergingWriter<KEY, PART> {

    private static final int MAX_READS = 3;

    /** What one caller wants. */
    record Part<KEY, PART>(KEY key, PART part) {}

    /** Parts of the same row, by position in the batch, which are decided together. */
    private record Merged<KEY, PART>(KEY key, PART part, List<Integer> positions) {}

    // immutable
    private final DataSource dataSource;
    private final BatchWriter writer;
    private final MergedUpdate<KEY, PART> update;

    MergingWriter(DataSource dataSource, BatchWriter writer, MergedUpdate<KEY, PART> update) {
        this.dataSource = dataSource;
        this.writer = writer;
        this.update = update;
    }

    /** Writes parts in the order given; the outcomes are in the same order. */
    List<Outcome<Boolean>> write(List<Part<KEY, PART>> parts) {
        return new Writing(parts).write();
    }

    /** One batch on its way. */
    private final class Writing {

        // immutable
        private final List<Part<KEY, PART>> parts;
        private final @Nullable Outcome<Boolean>[] outcomes;

        // An array of a generic type cannot be created otherwise; it does not leave this class.
        @SuppressWarnings({"unchecked", "rawtypes"})
        Writing(List<Part<KEY, PART>> parts) {
            this.parts = parts;
            this.outcomes = new Outcome[parts.size()];
        }

        List<Outcome<Boolean>> write() {
            Collection<List<Integer>> refused = writeMerged(byKey().values());
            for (int reads = 0; reads < MAX_READS && update.state() != null && !refused.isEmpty(); reads++) {
                refused = writeMerged(withoutThoseThatDoNotFit(refused));
            }
            writeEach(refused.stream().flatMap(List::stream).sorted().toList());
            List<Outcome<Boolean>> all = new ArrayList<>(outcomes.length);
            for (Outcome<Boolean> outcome : outcomes) {
                all.add(
                        outcome == null
                                ? Outcome.failed(new IllegalStateException("A part of the batch was left undecided"))
                                : outcome);
            }
            return all;
        }

        private Map<KEY, List<Integer>> byKey() {
            Map<KEY, List<Integer>> positions = new LinkedHashMap<>();
            for (int position = 0; position < parts.size(); position++) {
                try {
                    positions
                            .computeIfAbsent(parts.get(position).key(), key -> new ArrayList<>())
                            .add(position);
                } catch (Throwable failure) { // of the key's own equals or hashCode, and for its caller alone
                    outcomes[position] = Outcome.failed(failure);
                }
            }
            return positions;
        }

        /** Writes the given parts, merged by row; gives those back that are undecided, because not all of a row fit. */
        private Collection<List<Integer>> writeMerged(Collection<List<Integer>> rows) {
            List<Merged<KEY, PART>> merged = new ArrayList<>(rows.size());
            for (List<Integer> positions : rows) {
                try {
                    merged.add(merge(positions));
                } catch (Throwable failure) { // of the combine function, which concerns all parts of the row
                    decide(positions, Outcome.failed(failure));
                }
            }
            if (merged.isEmpty()) {
                return List.of();
            }
            List<ParameterSetter> setters = merged.stream()
                    .map(row -> update.row(row.key(), row.part()))
                    .toList();
            List<Outcome<RowOutcome>> written = writer.write(update.statement(), setters);
            List<List<Integer>> refused = new ArrayList<>();
            for (int index = 0; index < merged.size(); index++) {
                List<Integer> positions = merged.get(index).positions();
                Outcome<Boolean> outcome = outcomeOf(written.get(index));
                if (positions.size() > 1 && isRefusal(outcome)) {
                    refused.add(positions);
                } else {
                    decide(positions, outcome);
                }
            }
            return refused;
        }

        /** Whether the database has refused the merged part as such, so that a smaller one may fit. */
        private boolean isRefusal(Outcome<Boolean> outcome) {
            Throwable failure = outcome.failure();
            if (failure == null) {
                return !Boolean.TRUE.equals(outcome.value());
            }
            return !(failure instanceof OutcomeUnknownException) && FailureKind.of(failure) == FailureKind.STATEMENT;
        }

        private Merged<KEY, PART> merge(List<Integer> positions) {
            PART merged = parts.get(positions.get(0)).part();
            for (int position : positions.subList(1, positions.size())) {
                merged = update.combine(merged, parts.get(position).part());
            }
            return new Merged<>(parts.get(positions.get(0)).key(), merged, positions);
        }

        /** Reads each row's state and refuses the parts that do not fit it beside those before them. */
        private Collection<List<Integer>> withoutThoseThatDoNotFit(Collection<List<Integer>> rows) {
            List<List<Integer>> remaining = new ArrayList<>();
            for (List<Integer> positions : rows) {
                try {
                    List<Integer> fitting = fitting(positions);
                    if (!fitting.isEmpty()) {
                        remaining.add(fitting);
                    }
                } catch (SQLException | RuntimeException failure) { // of the query or of a function of the update's
                    decide(positions, Outcome.failed(failure));
                }
            }
            return remaining;
        }

        private List<Integer> fitting(List<Integer> positions) throws SQLException {
            Predicate<PART> fits = read(parts.get(positions.get(0)).key());
            List<Integer> fitting = new ArrayList<>();
            List<Integer> others = new ArrayList<>();
            PART merged = null;
            for (int position : positions) {
                PART part = parts.get(position).part();
                PART candidate = merged == null ? part : update.combine(merged, part);
                if (fits.test(candidate)) {
                    merged = candidate;
                    fitting.add(position);
                } else {
                    others.add(position);
                }
            }
            decide(others, Outcome.of(false));
            return fitting;
        }

        private Predicate<PART> read(KEY key) throws SQLException {
            MergedUpdate.State<KEY, PART> state = requireNonNull(update.state());
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement query = connection.prepareStatement(state.sql())) {
                state.parameters().set(query, key);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? state.reader().read(row) : part -> false;
                } finally {
                    if (!connection.getAutoCommit()) {
                        connection.rollback(); // or the next query might see the same snapshot
                    }
                }
            }
        }

        private void writeEach(List<Integer> positions) {
            if (positions.isEmpty()) {
                return;
            }
            List<ParameterSetter> setters = positions.stream()
                    .map(parts::get)
                    .map(part -> update.row(part.key(), part.part()))
                    .toList();
            List<Outcome<RowOutcome>> written = writer.write(update.statement(), setters);
            for (int index = 0; index < written.size(); index++) {
                outcomes[positions.get(index)] = outcomeOf(written.get(index));
            }
        }

        private void decide(List<Integer> positions, Outcome<Boolean> outcome) {
            for (int position : positions) {
                outcomes[position] = outcome.failure() instanceof OutcomeUnknownException unknown
                        ? Outcome.failed(unknown.forAnotherCaller())
                        : outcome;
            }
        }

        private Outcome<Boolean> outcomeOf(Outcome<RowOutcome> row) {
            return row.value() == null
                    ? new Outcome<>(null, row.failure())
                    : Outcome.of(row.value().updateCount() > 0);
        }
    }
}
