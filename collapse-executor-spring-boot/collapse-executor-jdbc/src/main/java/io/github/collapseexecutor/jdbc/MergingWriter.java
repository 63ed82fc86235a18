package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.jdbc.connection.BatchConnections;
import io.github.collapseexecutor.jdbc.connection.FailureKind;
import io.github.collapseexecutor.jdbc.connection.NetworkTimeout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch of parts: merged by row at first, and divided where the database refuses the merged part.
 *
 * <p>A merged part that changes the row is taken, with all that it was made of. One that does not says only that not all of it
 * fits. Then the row's state is read, the parts are gone through in order, each that fits beside those before it is taken,
 * and these are merged and written again. If that is refused too, another writer has been there since: the state is read again,
 * for all parts of the row, because one that was too large then may be the one that fits now. The values that it reads only say what to try, so the
 * read needs no lock and no transaction. After a few times, or if there is no way to read a state,
 * each part becomes an update of its own, in order, in one transaction, and the database says of each whether it fits. So do
 * the parts of a row that {@linkplain Merge cannot be merged}; but the first of them goes with the merged parts of other rows. If that
 * waits for the row's lock in vain, all fail with it, as the parts that are merged do: else each would wait as long.
 *
 * <p>Rows are written in the {@linkplain LockOrder order of their keys}, which is the same in every process, so that two
 * processes that update the same rows do not run into deadlocks.
 *
 * <p>All writes go through {@link BatchWriter}, whose answer is certain or says that it is unknown. Parts are written again only if the answer says
 * that they were certainly not written.
 */
record MergingWriter<KEY, PART>(BatchWriter writer, MergedUpdate<KEY, PART> update) {

    private static final int MAX_READS = 3;

    /** What one caller wants. */
    record Part<KEY, PART>(KEY key, PART part) {}

    /**
     * The parts of one row, by position in the batch.
     *
     * @param fitting are tried as one
     * @param others did not fit beside these when the row was read
     */
    private record Division(List<Integer> fitting, List<Integer> others) {

        Division(List<Integer> all) {
            this(all, List.of());
        }

        List<Integer> all() {
            return Stream.concat(fitting.stream(), others.stream()).sorted().toList();
        }
    }

    /**
     * The parts of one row that are tried as one.
     *
     * @param isFirstOnly whether they cannot be merged, so that the part is the first of them
     */
    private record Merged<KEY, PART>(KEY key, PART part, Division division, boolean isFirstOnly) {}

    /** Writes parts in the order given; the outcomes are in the same order. */
    List<WriteResult<Boolean>> write(BatchConnections connections, List<Part<KEY, PART>> parts) {
        return new Writing(connections, parts).write();
    }

    /** One batch on its way. */
    private final class Writing {

        // immutable
        private final BatchConnections connections;
        private final List<Part<KEY, PART>> parts;
        private final List<@Nullable WriteResult<Boolean>> outcomes;

        // mutable, confined to the writing thread
        /** By row: the parts that are not written as one. */
        private final List<List<Integer>> apart = new ArrayList<>();

        Writing(BatchConnections connections, List<Part<KEY, PART>> parts) {
            this.connections = connections;
            this.parts = parts;
            this.outcomes = new ArrayList<>(Collections.nCopies(parts.size(), null));
        }

        List<WriteResult<Boolean>> write() {
            List<List<Integer>> refused =
                    writeMerged(byKey().stream().map(Division::new).toList());
            for (int reads = 0; reads < MAX_READS && update.state() != null && !refused.isEmpty(); reads++) {
                refused = writeMerged(divide(refused));
            }
            apart.addAll(refused);
            writeEach();
            return WriteResult.all(outcomes, () -> new IllegalStateException("A part of the batch was left undecided"));
        }

        /** The positions of each row's parts, the rows in the order in which they are locked. */
        private List<List<Integer>> byKey() {
            Map<KEY, List<Integer>> positions = new LinkedHashMap<>();
            for (int position = 0; position < parts.size(); position++) {
                try {
                    positions
                            .computeIfAbsent(parts.get(position).key(), key -> new ArrayList<>())
                            .add(position);
                } catch (Throwable failure) { // of the key's own equals or hashCode, and for its caller alone
                    outcomes.set(position, WriteResult.failed(failure));
                }
            }
            return inLockOrder(new ArrayList<>(positions.values()));
        }

        private List<List<Integer>> inLockOrder(List<List<Integer>> rows) {
            try {
                rows.sort(Comparator.comparing(positions -> keyOf(positions), LockOrder.BY_VALUE));
            } catch (RuntimeException ignored) {
                // Of a key's own compareTo or toString: without an order there may be deadlocks, which are tried again.
            }
            return rows;
        }

        private KEY keyOf(List<Integer> positions) {
            return parts.get(positions.get(0)).key();
        }

        /** Writes the given parts, merged by row; gives those back that are undecided, because not all of a row fit. */
        private List<List<Integer>> writeMerged(List<Division> rows) {
            List<Merged<KEY, PART>> merged = new ArrayList<>(rows.size());
            for (Division division : rows) {
                try {
                    KEY key = keyOf(division.fitting());
                    PART part = merge(division.fitting());
                    if (part == null) {
                        merged.add(new Merged<>(
                                key, parts.get(division.all().get(0)).part(), division, true));
                    } else {
                        merged.add(new Merged<>(key, part, division, false));
                    }
                } catch (Error failure) { // of the combine function, which concerns all parts of the row
                    decide(division.all(), WriteResult.failed(failure));
                }
            }
            if (merged.isEmpty()) {
                return List.of();
            }
            List<Row> setters = merged.stream()
                    .map(row -> new Row(update.row(row.key(), row.part())))
                    .toList();
            List<WriteResult<RowOutcome>> written = writer.write(connections, update.statement(), setters);
            List<List<Integer>> refused = new ArrayList<>();
            for (int index = 0; index < merged.size(); index++) {
                Division division = merged.get(index).division();
                WriteResult<Boolean> outcome = outcomeOf(written.get(index));
                if (isLockWait(outcome)) {
                    decide(division.all(), outcome); // each part would wait as long
                } else if (merged.get(index).isFirstOnly()) {
                    decide(division.all().subList(0, 1), outcome);
                    apart.add(division.all().subList(1, division.all().size()));
                } else if (division.all().size() > 1 && isRefusal(outcome)) {
                    refused.add(division.all());
                } else {
                    decide(division.fitting(), outcome);
                    decide(division.others(), outcomeOfOthers(outcome));
                }
            }
            return refused;
        }

        /** The outcome of parts that did not fit beside others: if these are certainly not written, they might have fitted. */
        private WriteResult<Boolean> outcomeOfOthers(WriteResult<Boolean> fitting) {
            return fitting.failure() == null || fitting.failure() instanceof OutcomeUnknownException
                    ? WriteResult.of(false)
                    : fitting;
        }

        private boolean isLockWait(WriteResult<Boolean> outcome) {
            Throwable failure = outcome.failure();
            return failure != null && !(failure instanceof OutcomeUnknownException) && FailureKind.isLockWait(failure);
        }

        /** Whether the database has refused the merged part as such, so that a smaller one may fit. */
        private boolean isRefusal(WriteResult<Boolean> outcome) {
            Throwable failure = outcome.failure();
            if (failure == null) {
                return !Boolean.TRUE.equals(outcome.value());
            }
            return !(failure instanceof OutcomeUnknownException)
                    && FailureKind.of(failure) == FailureKind.STATEMENT
                    && writer.isTakenBack(connections, update.statement());
        }

        /** One part of several; null if they cannot be merged. */
        private @Nullable PART merge(List<Integer> positions) {
            PART merged = parts.get(positions.get(0)).part();
            for (int position : positions.subList(1, positions.size())) {
                PART next = Merge.of(update, merged, parts.get(position).part());
                if (next == null) {
                    return null;
                }
                merged = next;
            }
            return merged;
        }

        /** Reads each row's state and sets the parts apart that do not fit it beside those before them. */
        private List<Division> divide(List<List<Integer>> rows) {
            List<WriteResult<Predicate<PART>>> states = read(rows);
            List<Division> divisions = new ArrayList<>();
            for (int index = 0; index < rows.size(); index++) {
                List<Integer> positions = rows.get(index);
                Throwable notRead = states.get(index).failure();
                if (notRead != null) {
                    decide(positions, WriteResult.failed(notRead));
                    continue;
                }
                try {
                    Division division = divideRow(
                            positions, requireNonNull(states.get(index).value(), "state"));
                    if (division.fitting().isEmpty()) {
                        decide(division.others(), WriteResult.of(false));
                    } else {
                        divisions.add(division);
                    }
                } catch (RuntimeException failure) { // of a function of the update's
                    decide(positions, WriteResult.failed(failure));
                }
            }
            return divisions;
        }

        private Division divideRow(List<Integer> positions, Predicate<PART> fits) {
            List<Integer> fitting = new ArrayList<>();
            List<Integer> others = new ArrayList<>();
            PART merged = null;
            for (int position : positions) {
                PART part = parts.get(position).part();
                PART candidate = merged == null ? part : Merge.of(update, merged, part);
                if (candidate == null) { // not to be merged, so that nothing is known of it
                    return new Division(positions);
                }
                if (fits.test(candidate)) {
                    merged = candidate;
                    fitting.add(position);
                } else {
                    others.add(position);
                }
            }
            return new Division(fitting, others);
        }

        /** Reads the states of rows over one connection, so that a database that is down, or silent, is waited for once. */
        private List<WriteResult<Predicate<PART>>> read(List<List<Integer>> rows) {
            List<WriteResult<Predicate<PART>>> states = new ArrayList<>(rows.size());
            try (Connection connection = connections.next();
                    NetworkTimeout.Bound bound = writer.networkTimeout().on(connection)) {
                for (List<Integer> positions : rows) {
                    bound.watched().step();
                    states.add(read(connection, keyOf(positions)));
                }
            } catch (SQLException | RuntimeException failure) { // if it is of closing, all states are there
                while (states.size() < rows.size()) {
                    states.add(WriteResult.failed(failure));
                }
            }
            return states;
        }

        /** @throws SQLException if the connection is lost */
        private WriteResult<Predicate<PART>> read(Connection connection, KEY key) throws SQLException {
            MergedUpdate.State<KEY, PART> state = requireNonNull(update.state());
            try (PreparedStatement query = connection.prepareStatement(state.sql())) {
                state.parameters().set(query, key);
                try (ResultSet row = query.executeQuery()) {
                    return WriteResult.of(row.next() ? state.reader().read(row) : part -> false);
                } finally {
                    if (!connection.getAutoCommit()) {
                        connection.rollback(); // or the next query might see the same snapshot
                    }
                }
            } catch (RuntimeException failure) { // of a function of the update's
                return WriteResult.failed(failure);
            } catch (SQLException failure) {
                if (FailureKind.of(failure) == FailureKind.CONNECTION) {
                    throw failure;
                }
                return WriteResult.failed(failure);
            }
        }

        /** Writes each part that is left by itself: row by row, and those of a row in order of submission. */
        private void writeEach() {
            List<Integer> positions =
                    inLockOrder(apart).stream().flatMap(List::stream).toList();
            if (positions.isEmpty()) {
                return;
            }
            List<Row> setters = positions.stream()
                    .map(parts::get)
                    .map(part -> new Row(update.row(part.key(), part.part())))
                    .toList();
            List<WriteResult<RowOutcome>> written = writer.write(connections, update.statement(), setters);
            for (int index = 0; index < written.size(); index++) {
                outcomes.set(positions.get(index), outcomeOf(written.get(index)));
            }
        }

        private void decide(List<Integer> positions, WriteResult<Boolean> outcome) {
            for (int position : positions) {
                outcomes.set(
                        position,
                        outcome.failure() instanceof OutcomeUnknownException unknown
                                ? WriteResult.failed(unknown.forAnotherCaller())
                                : outcome);
            }
        }

        private WriteResult<Boolean> outcomeOf(WriteResult<RowOutcome> row) {
            return row.value() == null
                    ? new WriteResult<>(null, row.failure())
                    : WriteResult.of(row.value().updateCount() > 0);
        }
    }
}
