package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.connection.FailureKind;
import io.github.collapseexecutor.jdbc.connection.SilenceWatch;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Executes the rows of a batch on one connection, up to the commit, which is not its own: finds out which rows the
 * database takes.
 *
 * <h2>Isolation of bad rows</h2>
 *
 * <p>At first all rows are executed as one batch, or {@linkplain OneStatement one statement}, without a savepoint: one round trip
 * where the driver can. If that fails, it is rolled back and the rows are taken apart within the same transaction, each part
 * behind a savepoint, so that there is still one commit. A part that fails is rolled back to its savepoint, which stays for the next part, and is
 * divided; a part that succeeds is kept, and the next needs a savepoint of its own. So a part costs two round trips: its
 * execution, and a savepoint or a rollback to one. Parts of their own transactions would cost as many, and a commit each, that
 * is, a sync of the log.
 *
 * <p>A part is divided where the driver says that it failed (the update counts of its {@link BatchUpdateException}): the
 * rows before, the suspect alone, the rows after. That takes about six round trips for each bad row. Drivers that rewrite
 * a batch into one statement cannot say where it failed; then the part is halved, and if its first half is good, the second
 * is halved without trying it: three round trips or so for each halving. The report of a driver is a hint only: each row's outcome is decided by
 * executing it, the failure that a caller gets comes from executing its row alone, and a hint that proves wrong is the last that
 * is believed in this transaction.
 *
 * <p>A part that waited for a lock in vain is divided into single rows at once, because each further part that holds the
 * locked row would wait as long. And if the first few rows that were tried alone were all bad, looking for good ones in
 * parts does not pay: the rest is {@linkplain #gaveUp() left} to be written row by row. Over a driver that goes to another server after a rollback
 * nothing can be taken apart {@linkplain #isTakenApart() within one transaction}.
 *
 * <h2>Size</h2>
 *
 * <p>A database refuses what is longer than it allows a packet to be, often by dropping the connection. So the rows of a part
 * are sent in several batches if they are large, still with one commit, and a large row is sent by itself. If the connection
 * or the transaction is lost, {@link #lostWith()} says which rows had been sent last.
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

    /** How many rows have to be bad, and none good, for the rest to be left. */
    private static final int BAD_ROWS_TO_GIVE_UP = 4;

    /** So many bytes are sent together; half of the smallest packet limit that databases come with. */
    static final long BYTES_TOGETHER = 1 << 19;

    // immutable
    private final Connection connection;
    private final List<Row> rows;
    /** By row: null while it is undecided. */
    private final List<@Nullable WriteResult<RowOutcome>> outcomes;

    private final PreparedRows prepared;
    private final LearnedStatement learned;

    // mutable, confined to the writing thread
    private boolean hintsHold = true;
    private boolean gaveUp;
    private boolean takenApart = true;
    private boolean oneByOne;
    private int badRows;
    private final List<Integer> refused = new ArrayList<>();
    private List<Integer> sentLast = List.of();

    RowTransaction(
            Connection connection,
            RowStatement statement,
            LearnedStatement learned,
            List<Row> rows,
            SilenceWatch.Watched watched)
            throws SQLException {
        this.connection = connection;
        this.rows = rows;
        this.outcomes = new ArrayList<>(Collections.nCopies(rows.size(), null));
        this.learned = learned;
        this.prepared = new PreparedRows(connection, statement, learned, watched);
        this.oneByOne = !prepared.takesBatches();
    }

    /** What became of each row; those that are undecided get the given failure. */
    List<WriteResult<RowOutcome>> outcomes(Supplier<Throwable> forUndecided) {
        return WriteResult.all(outcomes, forUndecided);
    }

    /** Takes what was executed for undecided again: it is not going to be committed, or nobody knows. */
    void forgetWrittenRows() {
        outcomes.replaceAll(outcome -> isWritten(outcome) ? null : outcome);
    }

    /**
     * Takes what the database refused for undecided again: the rows that it was refused for may be those of this transaction.
     *
     * @return the rows that it refused
     */
    List<Integer> forgetRefusedRows() {
        refused.forEach(row -> outcomes.set(row, null));
        return List.copyOf(refused);
    }

    boolean hasWrittenRows() {
        return outcomes.stream().anyMatch(RowTransaction::isWritten);
    }

    private static boolean isWritten(@Nullable WriteResult<RowOutcome> outcome) {
        return outcome != null && outcome.failure() == null;
    }

    /** The rows that nothing is known of yet. */
    List<Integer> undecidedRows() {
        return undecided(new Part(0, rows.size()));
    }

    /** Whether the rows that are undecided were left, because all that were tried were bad. */
    boolean gaveUp() {
        return gaveUp;
    }

    /** The rows that had been sent when the transaction or the connection was lost; none if it was lost otherwise. */
    List<Integer> lostWith() {
        return sentLast;
    }

    /** Sets the parameters of a single row; false if that failed, and the row with it. */
    boolean bindAlone() {
        return bind(0);
    }

    /** Whether the database has answered the statement of the single row, whatever came after that. */
    boolean wasAnswered() {
        return prepared.wasAnswered();
    }

    /** Executes the single row that was bound. */
    void executeAlone() throws SQLException {
        outcomes.set(0, WriteResult.of(prepared.execute()));
    }

    /** Whether bad rows were looked for within this transaction; if not, the rows are to be divided into transactions of their own. */
    boolean isTakenApart() {
        return takenApart;
    }

    /**
     * Executes all rows and leaves in the transaction those that the database takes.
     *
     * @throws SQLException if the transaction or the connection is lost
     */
    void executeAll() throws SQLException {
        begin();
        List<Part> parts = tryExecute(new Part(0, rows.size()));
        if (!parts.isEmpty()) {
            if (learned.database(connection).choosesServerAfterRollback()) {
                takenApart = false;
                return;
            }
            rollBack(null);
            begin();
            isolate(parts);
        }
    }

    /** A row is to be refused for what it finds, as it is alone, and not taken because of a row behind it. */
    private void begin() throws SQLException {
        if (rows.size() == 1 || !learned.defersConstraints()) {
            return;
        }
        try (Statement now = connection.createStatement()) {
            now.execute("SET CONSTRAINTS ALL IMMEDIATE");
        } catch (SQLException | RuntimeException failure) {
            if (FailureKind.of(failure) != FailureKind.STATEMENT) {
                throw failure;
            }
            rollBack(null); // a part that reads statements may not understand this one
        }
    }

    private void isolate(List<Part> first) throws SQLException {
        Deque<Part> parts = new ArrayDeque<>(first);
        Savepoint savepoint = null;
        boolean written = false;
        while (!parts.isEmpty()) {
            if (!written && badRows >= BAD_ROWS_TO_GIVE_UP) {
                gaveUp = true;
                return;
            }
            Part part = parts.pop();
            List<Integer> undecided = undecided(part);
            if (undecided.isEmpty()) {
                continue; // the parameters of its rows could not be set
            }
            if (part.badBefore() == badRows && undecided.size() > 1) {
                // The rows before it turned out good, so it is this part that made them fail together.
                push(halves(part, undecided), parts);
                continue;
            }
            if (written && savepoint == null) {
                savepoint = setSavepoint();
            }
            List<Part> smaller = tryExecute(part);
            if (isWritten(part)) {
                written = true;
                savepoint = null;
                hintsHold &= !part.suspect();
                continue;
            }
            // If this fails, the transaction or the connection is lost, whatever the failure before said of itself.
            rollBack(savepoint);
            if (savepoint == null) {
                begin();
            }
            push(smaller, parts);
        }
    }

    /** A driver that gives none has none, whether it says so or not: without one, good rows would be rolled back with a bad one. */
    private Savepoint setSavepoint() throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        if (savepoint == null) {
            throw new SQLFeatureNotSupportedException("The connection gave null for a savepoint");
        }
        return savepoint;
    }

    /** Rolls back to a savepoint, or all; fails if there is nothing any more that could be rolled back. */
    private void rollBack(@Nullable Savepoint savepoint) throws SQLException {
        if (savepoint == null) {
            connection.rollback();
        } else {
            connection.rollback(savepoint);
        }
        // A pool may have closed the connection, of which the rollback of a lazy proxy says nothing.
        connection.getMetaData();
    }

    private static void push(List<Part> smaller, Deque<Part> parts) {
        for (int index = smaller.size() - 1; index >= 0; index--) {
            parts.push(smaller.get(index));
        }
    }

    private boolean isWritten(Part part) {
        return outcomes.subList(part.from(), part.to()).stream().anyMatch(RowTransaction::isWritten);
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
        } catch (PreparedRows.UnclearAnswer unclear) {
            oneByOne = true;
            return List.of(part);
        } catch (SQLException | RuntimeException failure) {
            if (FailureKind.of(failure) != FailureKind.STATEMENT) {
                throw failure;
            }
            List<Integer> undecided = undecided(part);
            if (undecided.size() == 1) {
                outcomes.set(undecided.get(0), WriteResult.failed(failure));
                badRows++;
                refused.add(undecided.get(0));
                return List.of();
            }
            if (FailureKind.isLockWait(failure)) {
                return undecided.stream().map(row -> new Part(row, row + 1)).toList();
            }
            boolean someWereSent = !sentLast.isEmpty() && sentLast.size() < undecided.size();
            return someWereSent ? around(part, sentLast) : divide(part, undecided, failure);
        }
    }

    private void execute(Part part) throws SQLException, PreparedRows.UnclearAnswer {
        List<Integer> undecided = undecided(part);
        sentLast = List.of();
        // No row is decided before the last one is executed: if that fails, all are taken back.
        Map<Integer, RowOutcome> executed = new LinkedHashMap<>();
        if (oneByOne || undecided.size() == 1) {
            executeOneByOne(undecided, executed);
        } else {
            executeTogether(undecided, executed);
        }
        executed.forEach((row, outcome) -> outcomes.set(row, WriteResult.of(outcome)));
    }

    private void executeOneByOne(List<Integer> undecided, Map<Integer, RowOutcome> executed) throws SQLException {
        prepared.beginAlone();
        for (int row : undecided) {
            if (bind(row)) {
                sentLast = List.of(row);
                executed.put(row, prepared.execute());
            }
        }
    }

    private void executeTogether(List<Integer> undecided, Map<Integer, RowOutcome> executed)
            throws SQLException, PreparedRows.UnclearAnswer {
        MultiRowInsert insert = prepared.multiRowInsert();
        if (insert == null || !rowsOf(undecided).stream().allMatch(insert::takes)) {
            executeAsBatch(undecided, executed);
            return;
        }
        for (List<Integer> part : parts(undecided, ArrayInsert.ROWS_AT_MOST)) {
            OneStatement arrays = prepared.arraysOf(rowsOf(part));
            if (arrays != null) {
                executeAsOne(part, arrays, executed);
                continue;
            }
            for (List<Integer> fewer : parts(part, insert.rowsAtMost())) {
                executeAsOne(fewer, insert.with(rowsOf(fewer)), executed);
            }
        }
    }

    private void executeAsOne(List<Integer> part, OneStatement one, Map<Integer, RowOutcome> executed)
            throws SQLException, PreparedRows.UnclearAnswer {
        sentLast = part;
        if (prepared.executeAsOne(one, part.size())) {
            part.forEach(row -> executed.put(row, RowOutcome.ofCount(1)));
        } else {
            executeAsBatch(part, executed);
        }
    }

    private List<Row> rowsOf(List<Integer> positions) {
        return positions.stream().map(rows::get).toList();
    }

    /** Divides rows that were given as values into parts that one statement can write. */
    private List<List<Integer>> parts(List<Integer> undecided, int rowsAtMost) {
        List<List<Integer>> parts = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int index = 0; index < undecided.size(); index++) {
            long size = rows.get(undecided.get(index)).sizeOfValues();
            if (index > from && (index - from == rowsAtMost || bytes + size > BYTES_TOGETHER)) {
                parts.add(undecided.subList(from, index));
                from = index;
                bytes = 0;
            }
            bytes += size;
        }
        parts.add(undecided.subList(from, undecided.size()));
        return parts;
    }

    private void executeAsBatch(List<Integer> undecided, Map<Integer, RowOutcome> executed)
            throws SQLException, PreparedRows.UnclearAnswer {
        List<Integer> batch = new ArrayList<>(undecided.size());
        long bytes = 0;
        prepared.beginBatch();
        for (int row : undecided) {
            if (!bind(row)) {
                continue;
            }
            if (bytes + rows.get(row).size() > BYTES_TOGETHER && !batch.isEmpty()) {
                executeBatch(batch, executed);
                prepared.beginBatch();
                batch = new ArrayList<>();
                bytes = 0;
                if (!bind(row)) { // again: the batch may have taken its parameters along
                    continue;
                }
            }
            if (addToBatch(row)) {
                batch.add(row);
                bytes += rows.get(row).size();
            }
        }
        if (!batch.isEmpty()) {
            executeBatch(batch, executed);
        }
    }

    private void executeBatch(List<Integer> batch, Map<Integer, RowOutcome> executed)
            throws SQLException, PreparedRows.UnclearAnswer {
        sentLast = batch;
        List<RowOutcome> batchOutcomes = prepared.executeBatch(rowsOf(batch));
        for (int index = 0; index < batch.size(); index++) {
            executed.put(batch.get(index), batchOutcomes.get(index));
        }
    }

    private boolean bind(int row) {
        try {
            prepared.set(rows.get(row));
            return true;
        } catch (Throwable failure) { // of the caller's own making, and for it alone
            outcomes.set(row, WriteResult.failed(failure));
            return false;
        }
    }

    private boolean addToBatch(int row) {
        try {
            prepared.addToBatch();
            return true;
        } catch (SQLException | RuntimeException failure) { // of a parameter that is missing, and for its caller alone
            outcomes.set(row, WriteResult.failed(failure));
            return false;
        }
    }

    private List<Integer> undecided(Part part) {
        List<Integer> undecided = new ArrayList<>(part.size());
        for (int row = part.from(); row < part.to(); row++) {
            if (outcomes.get(row) == null) {
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

    /** The rows that were sent when it failed, and those before and behind them. */
    private static List<Part> around(Part part, List<Integer> sent) {
        int first = sent.get(0);
        int behind = sent.get(sent.size() - 1) + 1;
        return Stream.of(new Part(part.from(), first), new Part(first, behind), new Part(behind, part.to()))
                .filter(piece -> piece.size() > 0)
                .toList();
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
        prepared.close();
    }
}
