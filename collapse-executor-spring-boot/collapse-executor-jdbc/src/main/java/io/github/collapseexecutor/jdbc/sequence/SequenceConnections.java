package io.github.collapseexecutor.jdbc.sequence;

import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.jdbc.connection.BatchConnections;
import io.github.collapseexecutor.jdbc.connection.CarriedFailure;
import io.github.collapseexecutor.jdbc.connection.DataSourceOfOneDatabase;
import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.jdbc.connection.FailureKind;
import io.github.collapseexecutor.jdbc.connection.NetworkTimeout;
import io.github.collapseexecutor.jdbc.connection.Tried;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs a statement on a connection of its own and commits it before a caller sees what it returned; repeats what may
 * succeed another time ({@link SequenceRetry}).
 *
 * <p><b>Thread.</b> A data source of JTA, or a proxy of Spring's, makes a connection part of the transaction that its thread is in, and some of them
 * say nevertheless that it commits by itself. If one caller's transaction rolled back, the numbers of all callers of its batch would be
 * given again. So the connection is taken on a thread that is in no transaction, whatever manages those of the callers.
 *
 * <p><b>Isolation.</b> Where connections are at {@code REPEATABLE READ} or {@code SERIALIZABLE}, H2 and PostgreSQL refuse one
 * of two transactions that add to one row, and a busy process can refuse another one for ever. The statement reads nothing
 * but the row that it changes, so {@code READ COMMITTED} is as right: there it waits for the other and goes on. That takes
 * round trips of its own, hence it is done only after a transaction was refused. Public for other packages of the library only.
 */
public final class SequenceConnections {

    /** What is done with a connection. */
    @FunctionalInterface
    public interface Statements {
        long[] run(Connection connection, DatabaseProduct product) throws SQLException;
    }

    /** On a connection that has no network time-out of its own; as that of a writer by default. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    // immutable
    private final DataSource dataSource;
    private final NetworkTimeout networkTimeout;

    // mutable
    /** Written once or more, always with the same value. */
    private volatile @Nullable DatabaseProduct product;
    /** Set when a transaction was refused, reset when the isolation turns out not to be the reason. */
    private volatile boolean isolationTooHigh;

    public SequenceConnections(DataSource dataSource) {
        this(dataSource, LONGEST_SILENCE);
    }

    public SequenceConnections(DataSource dataSource, Duration networkTimeout) {
        this.dataSource = DataSourceOfOneDatabase.checked(dataSource);
        this.networkTimeout = new NetworkTimeout(networkTimeout);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * Runs statements and waits for their numbers.
     *
     * @throws InterruptedException if the calling thread was interrupted; the statements go on, and their numbers are lost
     */
    public long[] run(Statements statements) throws SQLException, InterruptedException {
        FutureTask<long[]> task = new FutureTask<>(() -> runHere(statements));
        LibraryThreads.free().execute(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw CarriedFailure.rethrow(e);
        }
    }

    private long[] runHere(Statements statements) throws SQLException, InterruptedException {
        long begin = System.nanoTime();
        for (int attempts = 1; ; attempts++) {
            // Outside: a pool that has no connection to give has waited for one already.
            Connection connection = BatchConnections.connect(dataSource);
            try (connection;
                    NetworkTimeout.Bound bound = networkTimeout.on(connection)) {
                bound.watched().step();
                return runAtItsIsolation(connection, statements);
            } catch (SQLException | RuntimeException failure) {
                if (!SequenceRetry.mayHelp(failure, attempts, System.nanoTime() - begin)) {
                    throw failure;
                }
                if (FailureKind.of(failure) == FailureKind.TRANSACTION) {
                    isolationTooHigh = true;
                }
            }
            SequenceRetry.pause(attempts);
        }
    }

    private long[] runAtItsIsolation(Connection connection, Statements statements) throws SQLException {
        DatabaseProduct known = product(connection);
        if (!isolationTooHigh || !known.refusesAtHighIsolation()) {
            return runAndCommit(connection, known, statements);
        }
        int isolation = connection.getTransactionIsolation();
        if (isolation <= Connection.TRANSACTION_READ_COMMITTED) { // the constants grow with the isolation
            isolationTooHigh = false;
            return runAndCommit(connection, known, statements);
        }
        return known.hasIsolationOfOneTransaction()
                ? runInOneTransaction(connection, known, statements)
                : runInSession(connection, known, statements, isolation);
    }

    /** Leaves the session as it is: behind a proxy that lends it for one transaction, another client would have its isolation. */
    private static long[] runInOneTransaction(Connection connection, DatabaseProduct known, Statements statements)
            throws SQLException {
        boolean commitsByItself = connection.getAutoCommit();
        if (commitsByItself) {
            connection.setAutoCommit(false);
        }
        try {
            return runAndCommit(connection, known, (transaction, product) -> {
                try (Statement statement = transaction.createStatement()) {
                    statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
                }
                return statements.run(transaction, product);
            });
        } finally {
            if (commitsByItself) {
                restore(connection, () -> connection.setAutoCommit(true));
            }
        }
    }

    private static long[] runInSession(
            Connection connection, DatabaseProduct known, Statements statements, int isolation) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try {
            return runAndCommit(connection, known, statements);
        } finally {
            restore(connection, () -> connection.setTransactionIsolation(isolation));
        }
    }

    private DatabaseProduct product(Connection connection) throws SQLException {
        DatabaseProduct known = product;
        if (known == null) {
            known = DatabaseProduct.withNumbers(connection);
            product = known;
        }
        return known;
    }

    /** Gives the pool the connection back as it was; one that cannot be set back is aborted. */
    private static void restore(Connection connection, Tried.Step setting) {
        if (!Tried.done(setting)) {
            BatchConnections.abort(connection);
        }
    }

    private static long[] runAndCommit(Connection connection, DatabaseProduct product, Statements statements)
            throws SQLException {
        if (connection.getAutoCommit()) {
            return statements.run(connection, product);
        }
        try {
            long[] numbers = statements.run(connection, product);
            connection.commit();
            return numbers;
        } catch (SQLException | RuntimeException failure) {
            try {
                connection.rollback();
            } catch (SQLException second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
    }
}
