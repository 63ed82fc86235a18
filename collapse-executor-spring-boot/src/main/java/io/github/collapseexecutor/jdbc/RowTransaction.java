package io.github.collapseexecutor.jdbc;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes the rows of a batch on one connection, up to the commit, which is not its own: finds out which rows the
 * database takes.
 *
 * <h2>Isolation of bad rows</h2>
 *
 * <p>At first all rows are executed as one batch, without a savepoint: one round trip where the driver can. If that
 * fails, it is rolled back and the rows are taken apart within the same transaction, each part behind a savepoint, so that
 * there is still one commit. A part that fails is rolled back to its savepoint, which stays for the next part, and is
 * divided; a part that succeeds is kept, and the next needs a savepoint of its own. So a part costs two round trips: its
 * execution, and a savepoint or a rollback to one. Parts of their own transactions would cost as many, and a commit each, that
 * is, a sync of the log.
 *
 * <p>A part is divided where the driver says that it failed (the update counts of its {@link BatchUpdateException}): the
 * rows before, the suspect alone, the rows after. That takes about six round trips for each bad row. Drivers that rewrite
 * a batch into one statement cannot say where it failed; then the part is halved, and if its first half is good, the second
 * is halved without trying it: three round trips or so for each halving. What a driver says is a hint only: each row's outcome is decided by
 * executing it, the failure that a caller gets comes from executing its row alone, and a hint that proves wrong is the last that
 * is believed in this transaction.
 */
final class RowTransaction implements AutoCloseable {

    /**
     * Rows next to one another, by position.
     *
     * @param suspect whether it is a single one of which the driver says that it is bad
     * @param badBefore how many bad rows were known when the part was cut off from the rows before it, if those and this part
     *     failed together; else -1
     */
    private record Part(int from, int to, boolean suspect, int badBefore) {

        Part(int from, int to) {
            this(from, to, false, -1);
        }

        int size() {
            return to - from;
        }
    }

    /** How the answer to a batch is told from the one to each row. */
    private static final class UnclearAnswer extends Exception {
        private static final long serialVersionUID = 1L;

        UnclearAnswer() {
            super("", null, false, false);
        }
    }

    // immutable
    private final Connection connection;
    private final RowStatement statement;
    private final List<ParameterSetter> rows;
    /** By row: null while it is undecided. */
    private final @Nullable Outcome<RowOutcome>[] outcomes;

    private final PreparedStatement prepared;

    // mutable, confined to the writing thread
    private boolean hintsHold = true;
    private int badRows;
    private boolean answered;

    RowTransaction(Connection connection, RowStatement statement, List<ParameterSetter> rows) throws SQLException {
        this.connection = connection;
        this.statement = statement;
        this.rows = rows;
        this.outcomes = newOutcomes(rows.size());
        this.prepared = prepare();
    }

    // An array of a generic type cannot be created otherwise; it does not leave this class.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable Outcome<RowOutcome>[] newOutcomes(int size) {
        return new Outcome[size];
    }

    private PreparedStatement prepare() throws SQLException {
        List<String> keys = statement.generatedKeys();
        return keys.isEmpty()
                ? connection.prepareStatement(statement.sql())
                : connection.prepareStatement(statement.sql(), keys.toArray(String[]::new));
    }

    /** What became of each row; those that are undecided get the given failure. */
    List<Outcome<RowOutcome>> outcomes(Supplier<Throwable> forUndecided) {
        List<Outcome<RowOutcome>> all = new ArrayList<>(outcomes.length);
        for (Outcome<RowOutcome> outcome : outcomes) {
            all.add(outcome == null ? Outcome.failed(forUndecided.get()) : outcome);
        }
        return all;
    }

    /** Takes what was executed for undecided again: it is not going to be committed, or nobody knows. */
    void forgetWrittenRows() {
        for (int row = 0; row < outcomes.length; row++) {
            Outcome<RowOutcome> outcome = outcomes[row];
            if (outcome != null && outcome.failure() == null) {
                outcomes[row] = null;
            }
        }
    }

    boolean hasWrittenRows() {
        return Arrays.stream(outcomes).anyMatch(outcome -> outcome != null && outcome.failure() == null);
    }

    /** Sets the parameters of a single row; false if that failed, and the row with it. */
    boolean bindAlone() throws SQLException {
        return bind(0, false);
    }

    /** Whether the database has answered the statement of the single row, whatever came after that. */
    boolean wasAnswered() {
        return answered;
    }

    /** Executes the single row that was bound. */
    void executeAlone() throws SQLException {
        executeBound(0);
    }

    /**
     * Executes all rows and leaves in the transaction those that the database takes.
     *
     * @throws SQLException if the transaction or the connection is lost
     */
    void executeAll() throws SQLException {
        Part all = new Part(0, rows.size());
        List<Part> parts = tryExecute(all);
        if (!parts.isEmpty() || !hasWrittenRows()) {
            connection.rollback();
            isolate(parts);
        }
    }

    private void isolate(List<Part> first) throws SQLException {
        Deque<Part> parts = new ArrayDeque<>(first);
        Savepoint savepoint = null;
        boolean written = false;
        while (!parts.isEmpty()) {
            Part part = parts.pop();
            List<Integer> undecided = undecided(part);
            if (part.badBefore() == badRows && undecided.size() > 1) {
                // The rows before it turned out good, so it is this part that made them fail together.
                push(halves(part, undecided), parts);
                continue;
            }
            if (written && savepoint == null) {
                savepoint = connection.setSavepoint();
            }
            List<Part> smaller = tryExecute(part);
            if (isWritten(part)) {
                written = true;
                savepoint = null;
                hintsHold &= !part.suspect();
                continue;
            }
            // If this fails, the transaction or the connection is lost, whatever the failure before said of itself.
            if (savepoint == null) {
                connection.rollback();
            } else {
                connection.rollback(savepoint);
            }
            push(smaller, parts);
        }
    }

    private static void push(List<Part> smaller, Deque<Part> parts) {
        for (int index = smaller.size() - 1; index >= 0; index--) {
            parts.push(smaller.get(index));
        }
    }

    private boolean isWritten(Part part) {
        for (int row = part.from(); row < part.to(); row++) {
            Outcome<RowOutcome> outcome = outcomes[row];
            if (outcome != null && outcome.failure() == null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Executes a part; its rows are either all decided afterwards, or it is to be rolled back and its parts to be executed.
     *
     * @return the parts that it is to be divided into; none if all its rows are decided
     * @throws SQLException if the transaction or the connection is lost
     */
    private List<Part> tryExecute(Part part) throws SQLException {
        try {
            execute(part);
            return List.of();
        } catch (UnclearAnswer unclear) {
            return undecided(part).stream().map(row -> new Part(row, row + 1)).toList();
        } catch (SQLException | RuntimeException failure) {
            if (FailureKind.of(failure) != FailureKind.STATEMENT) {
                throw failure;
            }
            List<Integer> undecided = undecided(part);
            if (undecided.size() == 1) {
                outcomes[undecided.get(0)] = Outcome.failed(failure);
                badRows++;
                return List.of();
            }
            return divide(part, undecided, failure);
        }
    }

    private void execute(Part part) throws SQLException, UnclearAnswer {
        List<Integer> undecided = undecided(part);
        if (undecided.size() == 1) {
            if (bind(undecided.get(0), false)) {
                executeBound(undecided.get(0));
            }
            return;
        }
        prepared.clearBatch();
        List<Integer> batch = new ArrayList<>(undecided.size());
        for (int row : undecided) {
            if (bind(row, true)) {
                batch.add(row);
            }
        }
        if (!batch.isEmpty()) {
            executeBound(batch);
        }
    }

    private boolean bind(int row, boolean toBatch) throws SQLException {
        prepared.clearParameters(); // or a parameter that the setter forgets would be the one of another caller
        try {
            rows.get(row).set(prepared);
            if (toBatch) {
                prepared.addBatch();
            }
            return true;
        } catch (Throwable failure) { // of the caller's own making, and for it alone
            outcomes[row] = Outcome.failed(failure);
            return false;
        }
    }

    private void executeBound(int row) throws SQLException {
        int count = prepared.executeUpdate();
        answered = true;
        List<List<@Nullable Object>> keys = count == 0 ? List.of() : readKeys();
        outcomes[row] = Outcome.of(new RowOutcome(count, keys.isEmpty() ? List.of() : keys.get(0)));
    }

    private void executeBound(List<Integer> batch) throws SQLException, UnclearAnswer {
        int[] counts = prepared.executeBatch();
        if (counts.length != batch.size()) {
            throw new UnclearAnswer();
        }
        for (int index = 0; index < counts.length; index++) {
            if (counts[index] == Statement.SUCCESS_NO_INFO && statement.writesExactlyOneRow()) {
                counts[index] = 1;
            }
            // Keys come in one list for all rows: whose they are is certain only if each row has one.
            boolean unclear = statement.generatedKeys().isEmpty() ? counts[index] < 0 : counts[index] != 1;
            if (unclear) {
                throw new UnclearAnswer();
            }
        }
        List<List<@Nullable Object>> keys = readKeys();
        if (!statement.generatedKeys().isEmpty() && keys.size() != batch.size()) {
            throw new UnclearAnswer();
        }
        for (int index = 0; index < counts.length; index++) {
            outcomes[batch.get(index)] =
                    Outcome.of(new RowOutcome(counts[index], keys.isEmpty() ? List.of() : keys.get(index)));
        }
    }

    private List<List<@Nullable Object>> readKeys() throws SQLException {
        if (statement.generatedKeys().isEmpty()) {
            return List.of();
        }
        List<List<@Nullable Object>> all = new ArrayList<>();
        try (ResultSet keys = prepared.getGeneratedKeys()) {
            int columns = keys.getMetaData().getColumnCount();
            while (keys.next()) {
                List<@Nullable Object> row = new ArrayList<>(columns);
                for (int column = 1; column <= columns; column++) {
                    row.add(keys.getObject(column));
                }
                all.add(row);
            }
        }
        return all;
    }

    private List<Integer> undecided(Part part) {
        List<Integer> undecided = new ArrayList<>(part.size());
        for (int row = part.from(); row < part.to(); row++) {
            if (outcomes[row] == null) {
                undecided.add(row);
            }
        }
        return undecided;
    }

    private List<Part> divide(Part part, List<Integer> undecided, Exception failure) {
        if (hintsHold && failure instanceof BatchUpdateException batch) {
            int[] counts = batch.getUpdateCounts();
            if (counts.length < undecided.size()) { // the driver stopped at the first that failed
                counts = Arrays.copyOf(counts, counts.length + 1);
                counts[counts.length - 1] = Statement.EXECUTE_FAILED;
            }
            List<Part> parts = aroundFailed(part, undecided, counts);
            if (!parts.isEmpty()) {
                return parts;
            }
        }
        return halves(part, undecided);
    }

    private List<Part> halves(Part part, List<Integer> undecided) {
        int middle = undecided.get(undecided.size() / 2);
        return List.of(new Part(part.from(), middle), new Part(middle, part.to(), false, badRows));
    }

    /** The failed rows alone and those between them together; empty if the counts do not tell one from another. */
    private static List<Part> aroundFailed(Part part, List<Integer> undecided, int[] counts) {
        List<Part> parts = new ArrayList<>();
        int from = part.from();
        boolean allFailed = counts.length == undecided.size();
        for (int index = 0; index < Math.min(counts.length, undecided.size()); index++) {
            if (counts[index] != Statement.EXECUTE_FAILED) {
                allFailed = false;
                continue;
            }
            int row = undecided.get(index);
            if (row > from) {
                parts.add(new Part(from, row));
            }
            parts.add(new Part(row, row + 1, true, -1));
            from = row + 1;
        }
        if (from < part.to()) {
            parts.add(new Part(from, part.to()));
        }
        return allFailed || parts.size() == 1 ? List.of() : parts;
    }

    @Override
    public void close() {
        try {
            prepared.close();
        } catch (SQLException | RuntimeException ignored) {
            // It is closed with the connection at the latest; what became of the rows does not depend on it.
        }
    }
}
