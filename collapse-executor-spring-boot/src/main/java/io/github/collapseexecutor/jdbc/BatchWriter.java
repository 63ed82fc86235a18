package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes a batch of rows with one commit and says of each row what is certain: it is there, it is not there, or nobody
 * knows. The only place where anything is committed.
 *
 * <h2>What an exception leaves behind</h2>
 *
 * <p>Several rows are written in a transaction of their own, with automatic commit off:
 *
 * <table>
 * <caption>States of a batch when an exception arrives</caption>
 * <tr><th>State</th><th>What is certain</th><th>What is done</th></tr>
 * <tr><td>1. no connection, or its transaction not begun</td><td>nothing is written</td><td>all fail with it</td></tr>
 * <tr><td>2. some statements executed, the commit not sent; the failure is a statement's</td>
 *     <td>nothing is committed; the transaction goes on from a savepoint</td>
 *     <td>{@link RowTransaction} looks for the rows that fail, and keeps the others</td></tr>
 * <tr><td>3. the same; the transaction was rolled back (deadlock, serialization) or the connection is lost</td>
 *     <td>nothing is committed, nor will be: a database rolls back what it was not told to commit</td>
 *     <td>the whole batch is tried again on a connection, {@code maxRetries} times; then all fail with it</td></tr>
 * <tr><td>4. the commit sent; the database answered that it refuses</td><td>nothing is committed</td>
 *     <td>after a deadlock or the like as in 3. Otherwise a deferred constraint does not hold, for rows that nobody
 *     names: the batch is halved into transactions of their own, down to the row that fails alone</td></tr>
 * <tr><td>5. the commit sent; anything else</td><td>either all rows that the database took are committed, or none is</td>
 *     <td>their callers get an {@link OutcomeUnknownException}; nothing is tried again. Rows that had failed before were
 *     no part of it, and fail with their own failure</td></tr>
 * <tr><td>6. the commit answered</td><td>all rows that the database took are committed</td>
 *     <td>failures of closing up change nothing, and are not reported</td></tr>
 * </table>
 *
 * <p>A row that is alone is not worth a transaction if its connection commits by itself: one round trip instead of three.
 * Then the statement is the commit. A failure before it was sent is as in 1; the database's refusal is certain, as in 2 and
 * 3; anything else is as in 5.
 *
 * <p>A failure passes for the database's answer only if it does not say that the connection is lost and if the connection
 * works afterwards ({@link FailureKind#isRefusal}), because an answer that is late or torn is followed by a
 * broken connection in every driver.
 *
 * <h2>The connection</h2>
 *
 * <p>Switching automatic commit on commits what is open. So it is switched back only as the commit, or after a commit or a
 * rollback that was answered; a connection that cannot do that is aborted, never given back to the pool with rows in it that were reported as
 * failed. At most one connection is held, and never while another is waited for.
 */
final class BatchWriter {

    /** How one attempt at a batch ended. */
    private enum End {
        /** Every row has its outcome. */
        SETTLED,
        /** Nothing is written; the same attempt may succeed another time. */
        ROLLED_BACK,
        /** Nothing is written, because of rows that cannot be told from the others while they share a commit. */
        REFUSED
    }

    /**
     * What an attempt came to.
     *
     * @param outcomes one for each row, as far as they are certain if nothing is tried again
     * @param open whether the connection may hold a transaction still
     */
    private record Attempt(End end, List<Outcome<RowOutcome>> outcomes, boolean open) {

        static Attempt failed(End end, int rows, Throwable failure) {
            return new Attempt(end, Collections.nCopies(rows, Outcome.failed(failure)), true);
        }
    }

    private static final String LOST_IN_COMMIT =
            "The connection was lost while the write was being committed: it may or may not have been";

    // immutable
    private final int maxRetries;

    BatchWriter(int maxRetries) {
        this.maxRetries = maxRetries;
    }

    /** Writes rows in the order given; the outcomes are in the same order. */
    List<Outcome<RowOutcome>> write(BatchConnections connections, RowStatement statement, List<ParameterSetter> rows) {
        for (int retriesLeft = maxRetries; ; retriesLeft--) {
            Attempt attempt = attempt(connections, statement, rows);
            if (attempt.end() == End.REFUSED && rows.size() > 1) {
                int middle = rows.size() / 2;
                List<Outcome<RowOutcome>> outcomes =
                        new ArrayList<>(write(connections, statement, rows.subList(0, middle)));
                outcomes.addAll(write(connections, statement, rows.subList(middle, rows.size())));
                return outcomes;
            }
            if (attempt.end() != End.ROLLED_BACK || retriesLeft == 0) {
                return attempt.outcomes();
            }
        }
    }

    private Attempt attempt(BatchConnections connections, RowStatement statement, List<ParameterSetter> rows) {
        Connection connection;
        try {
            connection = connections.next();
        } catch (SQLException | RuntimeException unavailable) {
            return Attempt.failed(End.SETTLED, rows.size(), unavailable);
        }
        boolean commitsByItself = false;
        boolean open = true;
        try {
            commitsByItself = connection.getAutoCommit();
            Attempt attempt = commitsByItself && rows.size() == 1
                    ? writeAlone(connection, statement, rows)
                    : writeTogether(connection, statement, rows, commitsByItself);
            open = attempt.open();
            return attempt;
        } catch (SQLException | RuntimeException beforeTheFirstStatement) {
            End end = FailureKind.of(beforeTheFirstStatement) == FailureKind.STATEMENT ? End.SETTLED : End.ROLLED_BACK;
            return Attempt.failed(end, rows.size(), beforeTheFirstStatement);
        } finally {
            giveBack(connection, commitsByItself, open);
        }
    }

    private static Attempt writeAlone(Connection connection, RowStatement statement, List<ParameterSetter> rows)
            throws SQLException {
        try (RowTransaction transaction = new RowTransaction(connection, statement, rows)) {
            if (transaction.bindAlone()) {
                try {
                    transaction.executeAlone();
                } catch (Throwable failure) {
                    return endOfStatement(connection, transaction, failure);
                }
            }
            return settled(transaction);
        }
    }

    private static Attempt endOfStatement(Connection connection, RowTransaction transaction, Throwable failure) {
        if (transaction.wasAnswered()) {
            return unknown(transaction, "The row is committed, but its generated keys could not be read", failure);
        }
        if (!FailureKind.isRefusal(failure, connection)) {
            return unknown(transaction, LOST_IN_COMMIT, failure);
        }
        End end = FailureKind.of(failure) == FailureKind.TRANSACTION ? End.ROLLED_BACK : End.SETTLED;
        return new Attempt(end, transaction.outcomes(() -> failure), false);
    }

    private static Attempt writeTogether(
            Connection connection, RowStatement statement, List<ParameterSetter> rows, boolean commitsByItself)
            throws SQLException {
        begin(connection);
        try (RowTransaction transaction = new RowTransaction(connection, statement, rows)) {
            try {
                transaction.executeAll();
            } catch (Throwable lost) { // PostgreSQL's driver reports a loss by an AssertionError if assertions are on
                transaction.forgetWrittenRows();
                return new Attempt(End.ROLLED_BACK, transaction.outcomes(() -> lost), true);
            }
            if (transaction.hasWrittenRows()) {
                try {
                    commit(connection, commitsByItself);
                } catch (Throwable failure) {
                    return endOfCommit(connection, transaction, failure);
                }
            }
            return settled(transaction);
        }
    }

    private static Attempt endOfCommit(Connection connection, RowTransaction transaction, Throwable failure) {
        if (!FailureKind.isRefusalOfCommit(failure, connection)) {
            return unknown(transaction, LOST_IN_COMMIT, failure);
        }
        transaction.forgetWrittenRows();
        End end = FailureKind.of(failure) == FailureKind.TRANSACTION ? End.ROLLED_BACK : End.REFUSED;
        return new Attempt(end, transaction.outcomes(() -> failure), true);
    }

    private static Attempt settled(RowTransaction transaction) {
        return new Attempt(
                End.SETTLED,
                transaction.outcomes(() -> new IllegalStateException("A row of the batch was left undecided")),
                false);
    }

    private static Attempt unknown(RowTransaction transaction, String message, Throwable failure) {
        transaction.forgetWrittenRows();
        return new Attempt(
                End.SETTLED, transaction.outcomes(() -> new OutcomeUnknownException(message, failure)), true);
    }

    private static void begin(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            connection.setAutoCommit(false);
            if (connection.getAutoCommit()) {
                throw new IllegalStateException(
                        "The data source does not let automatic commit be switched off, so that a"
                                + " batch could not be taken back: give one whose transactions are not managed elsewhere");
            }
        }
    }

    /**
     * Commits. For MariaDB, switching automatic commit on again, which has to be done anyway and commits what is open, is the
     * commit: one round trip instead of two.
     */
    private static void commit(Connection connection, boolean commitsByItself) throws SQLException {
        if (commitsByItself && "MariaDB".equals(connection.getMetaData().getDatabaseProductName())) {
            connection.setAutoCommit(true);
        } else {
            connection.commit();
        }
    }

    private static void giveBack(Connection connection, boolean commitsByItself, boolean open) {
        try {
            if (!connection.getAutoCommit()) {
                if (open) {
                    connection.rollback();
                }
                if (commitsByItself) {
                    connection.setAutoCommit(true);
                }
            }
        } catch (SQLException | RuntimeException broken) {
            abort(connection);
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException ignored) {
            // The rows have their outcomes, and there is nobody left whom this would concern.
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ignored) {
            // Then it is broken already.
        }
    }
}
