package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.connection.BatchConnections;
import io.github.collapseexecutor.jdbc.connection.CommitCounts;
import io.github.collapseexecutor.jdbc.connection.ConnectedDatabase;
import io.github.collapseexecutor.jdbc.connection.FailureKind;
import io.github.collapseexecutor.jdbc.connection.NetworkTimeout;
import io.github.collapseexecutor.jdbc.connection.SilenceWatch;
import io.github.collapseexecutor.jdbc.connection.Tried;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a batch, over one connection, and what is certain of its rows afterwards. The only place where anything is
 * committed.
 *
 * <h2>What an exception leaves behind</h2>
 *
 * <p>Several rows are written in a transaction of their own, with automatic commit off:
 *
 * <table>
 * <caption>States of a batch when an exception arrives</caption>
 * <tr><th>State</th><th>Certainty</th><th>How the attempt ends</th></tr>
 * <tr><td>1. no connection, or its transaction not begun</td><td>nothing is written</td>
 *     <td>{@link End#UNAVAILABLE}; {@link End#ROLLED_BACK} if the connection turned out to be lost</td></tr>
 * <tr><td>2. some statements executed, the commit not sent; the failure is a statement's</td>
 *     <td>nothing is committed; the transaction goes on from a savepoint</td>
 *     <td>{@link RowTransaction} looks for the rows that fail, and keeps the others; {@link End#GAVE_UP} if all that it
 *     tried were bad</td></tr>
 * <tr><td>3. the same; the transaction was rolled back (deadlock, serialization) or the connection is lost</td>
 *     <td>nothing is committed, nor will be: a database rolls back what it was not told to commit</td>
 *     <td>{@link End#ROLLED_BACK}</td></tr>
 * <tr><td>4. the commit sent; the database answered that it refuses</td><td>nothing is committed</td>
 *     <td>after a deadlock or the like as in 3. Otherwise a deferred constraint does not hold, for rows that nobody
 *     names: {@link End#REFUSED}</td></tr>
 * <tr><td>5. the commit sent; anything else</td><td>either all rows that the database took are committed, or none is</td>
 *     <td>{@link End#SETTLED}: their callers get an {@link OutcomeUnknownException}. Rows that had been refused before
 *     are no part of it: {@link End#UNKNOWN}</td></tr>
 * <tr><td>6. the commit answered</td><td>all rows that the database took are committed</td>
 *     <td>{@link End#SETTLED}: failures of closing up change nothing, and are not reported</td></tr>
 * </table>
 *
 * <p>A row that is alone is not worth a transaction if its connection commits by itself: one round trip instead of three.
 * Then the statement is the commit. A failure before it was sent is as in 1; the database's refusal is certain, as in 2 and
 * 3, unless it is of the log that a commit goes into; anything else is as in 5. A statement that returns rows is written in a
 * transaction nevertheless, because these are to be read before the commit. A batch that is {@linkplain StatementCommit one statement} is written
 * in the same way where that is asked for; if it is refused for a row's sake, a transaction looks for that row.
 *
 * <p>A failure passes for the database's answer only if it does not say that the connection is lost, and if it names what is
 * wrong with the row or the connection works afterwards ({@link FailureKind#isRefusal}): an answer that is late or torn is
 * followed by a broken connection in every driver.
 *
 * <h2>The connection</h2>
 *
 * <p>Switching automatic commit on commits what is open. So it is switched back only as the commit, or after a commit or a
 * rollback that was answered; a connection that cannot do that is aborted, never given back to the pool with rows in it that
 * were reported as failed. A connection that has no {@linkplain NetworkTimeout network time-out} of its own gets one for as long
 * as the attempt takes, so that a database that is silent for ever keeps nobody waiting for ever.
 */
final class WriteAttempt {

    /** How an attempt ended. */
    enum End {
        /** Every row has its outcome. */
        SETTLED,
        /**
         * It may be committed or not. Rows that were refused before are not there, and are to be written by themselves: what they were refused
         * for may be a row of which nobody knows.
         */
        UNKNOWN,
        /** Nothing is written, because no connection could be had, or the database was silent for too long. */
        UNAVAILABLE,
        /** Nothing is written; the same attempt may succeed another time. */
        ROLLED_BACK,
        /** Nothing is written, because of rows that cannot be told from the others, or be taken back without these, while they share a commit. */
        REFUSED,
        /** Nothing is written, because all rows that were tried were bad, and the others were left. */
        GAVE_UP,
        /** Nothing is written, because not all of it could be taken back for certain: the rows are to be written one by one. */
        NOT_TOGETHER
    }

    /**
     * The result of an attempt.
     *
     * @param outcomes one for each row, as far as they are certain if nothing is tried again
     * @param open whether the connection may hold a transaction still
     * @param failure why it ended, if no row of its own is the reason; null if it settled all
     * @param concerned the rows that it is about: the suspects if it was rolled back, those that were left if it gave up, those that
     *     were refused if it is unknown
     */
    record Result(
            End end,
            List<WriteResult<RowOutcome>> outcomes,
            boolean open,
            @Nullable Throwable failure,
            List<Integer> concerned) {

        private Result(End end, List<WriteResult<RowOutcome>> outcomes, boolean open, @Nullable Throwable failure) {
            this(end, outcomes, open, failure, List.of());
        }

        private static Result failed(End end, int rows, Throwable failure) {
            return new Result(end, Collections.nCopies(rows, WriteResult.failed(failure)), true, failure);
        }

        /** The same, with nothing to be tried again: that would take as long. */
        private Result asSilence() {
            return switch (end) {
                case ROLLED_BACK -> new Result(End.UNAVAILABLE, outcomes, open, failure, concerned);
                case UNKNOWN -> new Result(End.SETTLED, outcomes, open, failure);
                case SETTLED, UNAVAILABLE, REFUSED, GAVE_UP, NOT_TOGETHER -> this;
            };
        }
    }

    private static final Result NOT_TOGETHER = new Result(End.NOT_TOGETHER, List.of(), false, null);

    /** Several rows, which are divided into transactions of their own, so that each gets its outcome there. */
    private static final Result NOT_WITHIN_ONE = new Result(End.REFUSED, List.of(), true, null);

    private static final String LOST_IN_COMMIT =
            "The connection was lost while the write was being committed: it may or may not have been";

    private static final String ROWS_LEFT_OUT =
            "The database has left rows of the batch out, and does not say which: this one may or may not have been written";

    // immutable
    private final Connection connection;
    private final RowStatement statement;
    private final LearnedStatement learned;
    private final List<Row> rows;
    private final SilenceWatch.Watched watched;
    private final CommitCounts commits;

    private WriteAttempt(
            Connection connection,
            RowStatement statement,
            LearnedStatement learned,
            List<Row> rows,
            SilenceWatch.Watched watched,
            CommitCounts commits) {
        this.commits = commits;
        this.watched = watched;
        this.connection = connection;
        this.statement = statement;
        this.learned = learned;
        this.rows = rows;
    }

    /**
     * Tries to write rows in the order given, over the next connection.
     *
     * @param mayBeAlone whether a single row may be its own commit; in a transaction, a connection that is lost before the
     *     commit leaves no doubt
     */
    static Result at(
            BatchConnections connections,
            RowStatement statement,
            LearnedStatement learned,
            List<Row> rows,
            NetworkTimeout networkTimeout,
            boolean mayBeAlone) {
        Connection connection;
        try {
            connection = connections.next();
        } catch (SQLException | RuntimeException unavailable) {
            return Result.failed(End.UNAVAILABLE, rows.size(), unavailable);
        }
        NetworkTimeout.Bound bound = networkTimeout.on(connection);
        SilenceWatch.Watched watched = bound.watched();
        boolean commitsByItself = false;
        boolean open = true;
        try {
            commitsByItself = connection.getAutoCommit();
            WriteAttempt attempt =
                    new WriteAttempt(connection, statement, learned, rows, watched, connections.commits());
            Result result = rows.size() > 1 && !attempt.canBeTakenBack()
                    ? NOT_TOGETHER
                    : mayBeAlone && commitsByItself ? attempt.writeByItself() : null;
            if (result == null) {
                result = attempt.writeTogether(commitsByItself);
            }
            open = result.open();
            return watched.isOverdue() ? result.asSilence() : result;
        } catch (SQLException | RuntimeException beforeTheFirstStatement) {
            End end = FailureKind.of(beforeTheFirstStatement) == FailureKind.STATEMENT ? End.SETTLED : End.ROLLED_BACK;
            return Result.failed(end, rows.size(), beforeTheFirstStatement);
        } finally {
            watched.step();
            giveBack(connection, commitsByItself, open, bound);
        }
    }

    private boolean canBeTakenBack() throws SQLException {
        ConnectedDatabase database = learned.database(connection);
        return !database.mayBeSeveral() && !(learned.mayReturnRows() && database.mayLeaveOutRollback());
    }

    /** Writes what one statement can that is its own commit; null if the rows are to be written in a transaction, and none is written yet. */
    private @Nullable Result writeByItself() throws SQLException {
        if (rows.size() == 1) {
            return learned.mayReturnRows() ? null : writeAlone();
        }
        return learned.isToCommitInStatement() ? writeInOneStatement() : null;
    }

    private @Nullable Result writeInOneStatement() throws SQLException {
        learned.lookAtTables(connection, rows.size(), System.nanoTime());
        StatementCommit commit = StatementCommit.of(connection, statement, learned, rows);
        if (commit == null) {
            return null;
        }
        PreparedStatement prepared = learned.prepareManyRows(connection, commit.sql());
        if (prepared == null) {
            return null;
        }
        try {
            if (!commit.set(connection, prepared)) {
                return null;
            }
            watched.step();
            boolean wroteEachRow;
            try {
                wroteEachRow = commit.execute(prepared);
            } catch (Throwable failure) {
                return endOfOneStatement(failure);
            }
            commits.answered();
            if (!wroteEachRow) {
                learned.wroteAnotherNumberOfRows();
                return unknown(ROWS_LEFT_OUT, new SQLException(ROWS_LEFT_OUT));
            }
        } finally {
            Tried.done(prepared::close);
        }
        return new Result(
                End.SETTLED, Collections.nCopies(rows.size(), WriteResult.of(RowOutcome.ofCount(1))), false, null);
    }

    private @Nullable Result endOfOneStatement(Throwable failure) throws SQLException {
        if (!FailureKind.isRefusalOfLoneStatement(failure, connection)) {
            commits.unknown();
            return unknown(LOST_IN_COMMIT, failure);
        }
        commits.rolledBack();
        learned.failedTogether();
        boolean isClosed = BatchConnections.isClosed(connection); // a pool does that for some answers
        return isClosed || FailureKind.of(failure) == FailureKind.TRANSACTION
                ? Result.failed(End.ROLLED_BACK, rows.size(), failure)
                : null; // a transaction tells which rows are bad
    }

    private Result unknown(String message, Throwable failure) {
        List<WriteResult<RowOutcome>> outcomes = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            outcomes.add(WriteResult.failed(new OutcomeUnknownException(message, failure)));
        }
        return new Result(End.SETTLED, outcomes, true, failure);
    }

    private Result writeAlone() throws SQLException {
        try (RowTransaction transaction = new RowTransaction(connection, statement, learned, rows, watched)) {
            if (transaction.bindAlone()) {
                try {
                    transaction.executeAlone();
                } catch (Throwable failure) {
                    return endOfStatement(transaction, failure);
                }
                commits.answered();
            }
            return settled(transaction);
        }
    }

    private Result endOfStatement(RowTransaction transaction, Throwable failure) {
        if (transaction.wasAnswered()) {
            commits.answered();
            return unknown(transaction, "The row is committed, but what it returned could not be read", failure);
        }
        if (!FailureKind.isRefusalOfLoneStatement(failure, connection)) {
            commits.unknown();
            return unknown(transaction, LOST_IN_COMMIT, failure);
        }
        commits.rolledBack();
        // a trigger may fail a statement when a table without transactions has the row
        boolean mayPass = FailureKind.of(failure) == FailureKind.TRANSACTION && learned.isTakenBack(connection);
        return new Result(mayPass ? End.ROLLED_BACK : End.SETTLED, transaction.outcomes(() -> failure), false, failure);
    }

    private Result writeTogether(boolean commitsByItself) throws SQLException {
        learned.lookAtTables(connection, rows.size(), System.nanoTime());
        if (!learned.hasTransactions()
                || (commitsByItself
                        && learned.database(connection).product().refusesOnlyTransactions()
                        && connection.isReadOnly())) {
            return writeWithoutTransaction();
        }
        begin(connection);
        try (RowTransaction transaction = new RowTransaction(connection, statement, learned, rows, watched)) {
            try {
                transaction.executeAll();
            } catch (Throwable failure) {
                // PostgreSQL's driver reports a loss so, if assertions are on.
                Throwable lost = failure instanceof AssertionError
                        ? new SQLNonTransientConnectionException("The connection was lost", "08006", failure)
                        : failure;
                transaction.forgetWrittenRows();
                transaction.forgetRefusedRows();
                commits.rolledBack();
                Result result = new Result(
                        End.ROLLED_BACK, transaction.outcomes(() -> lost), true, lost, transaction.lostWith());
                return FailureKind.isNetworkTimeout(lost) ? result.asSilence() : result;
            }
            if (!transaction.isTakenApart()) {
                commits.rolledBack();
                return NOT_WITHIN_ONE;
            }
            if (transaction.hasWrittenRows()) {
                try {
                    commit(commitsByItself);
                } catch (Throwable failure) {
                    return endOfCommit(transaction, failure);
                }
                commits.answered();
            }
            if (transaction.gaveUp()) {
                List<Integer> left = transaction.undecidedRows();
                return new Result(
                        End.GAVE_UP,
                        transaction.outcomes(() -> new IllegalStateException("A row of the batch was left")),
                        true,
                        null,
                        left);
            }
            return settled(transaction);
        }
    }

    /** Each row is to be its own commit: what was written before a failure could not be taken back. */
    private Result writeWithoutTransaction() throws SQLException {
        if (rows.size() > 1) {
            return NOT_TOGETHER;
        }
        connection.setAutoCommit(true);
        return writeAlone();
    }

    private Result endOfCommit(RowTransaction transaction, Throwable failure) {
        if (!FailureKind.isRefusalOfCommit(failure, connection)) {
            commits.unknown();
            return unknownCommit(transaction, failure);
        }
        commits.rolledBack();
        transaction.forgetWrittenRows();
        End end = FailureKind.of(failure) == FailureKind.TRANSACTION ? End.ROLLED_BACK : End.REFUSED;
        return new Result(end, transaction.outcomes(() -> failure), true, failure);
    }

    private static Result settled(RowTransaction transaction) {
        return new Result(
                End.SETTLED,
                transaction.outcomes(() -> new IllegalStateException("A row of the batch was left undecided")),
                !transaction.hasWrittenRows(),
                null);
    }

    private static Result unknownCommit(RowTransaction transaction, Throwable failure) {
        Result unknown = unknown(transaction, LOST_IN_COMMIT, failure);
        List<Integer> refused = transaction.forgetRefusedRows();
        if (refused.isEmpty()) {
            return unknown;
        }
        List<WriteResult<RowOutcome>> outcomes = new ArrayList<>(unknown.outcomes());
        refused.forEach(row -> outcomes.set(row, WriteResult.failed(failure)));
        return new Result(End.UNKNOWN, outcomes, true, failure, refused);
    }

    private static Result unknown(RowTransaction transaction, String message, Throwable failure) {
        transaction.forgetWrittenRows();
        return new Result(
                End.SETTLED, transaction.outcomes(() -> new OutcomeUnknownException(message, failure)), true, failure);
    }

    /** Switches automatic commit off, whatever a proxy says of it: rows that were committed by themselves could not be taken back. */
    private static void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("The data source does not let automatic commit be switched off, so that a"
                    + " batch could not be taken back: give one whose transactions are not managed elsewhere");
        }
    }

    /**
     * Commits. Where that saves a round trip, switching automatic commit on again, which has to be done anyway and commits what is
     * open, is the commit.
     */
    private void commit(boolean commitsByItself) throws SQLException {
        watched.step();
        if (commitsByItself && learned.database(connection).commitsBySwitching()) {
            connection.setAutoCommit(true);
        } else {
            connection.commit();
        }
    }

    private static void giveBack(
            Connection connection, boolean commitsByItself, boolean open, NetworkTimeout.Bound bound) {
        boolean isAsBefore = Tried.done(() -> {
            if (!connection.getAutoCommit() && open) {
                connection.rollback();
            }
            if (connection.getAutoCommit() != commitsByItself) {
                connection.setAutoCommit(commitsByItself);
            }
        });
        bound.close();
        if (!isAsBefore) {
            BatchConnections.abort(connection);
        }
        Tried.done(connection::close); // if it fails, it concerns nobody: the rows have their outcomes
    }
}
