package io.github.collapseexecutor.jdbc.connection;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a failure reaches that a database or its driver reports. Public for other packages of the library only.
 */
public enum FailureKind {

    /** The statement had no effect; the transaction and the connection go on. */
    STATEMENT,
    /** The database has rolled the whole transaction back, or wants it rolled back: a deadlock, a serialization failure. */
    TRANSACTION,
    /** The connection is lost, or what it answered is: what it had been told last may have been done. */
    CONNECTION;

    /** "statement completion unknown" and "transaction resolution unknown". */
    private static final Set<String> UNKNOWN = Set.of("40003", "08007");

    /** Lock not available: PostgreSQL's, and the standard's time-out, which H2 gives for a lock alone. */
    private static final Set<String> LOCK_WAITS = Set.of("55P03", "HYT00");

    /** MariaDB's and MySQL's: the time to wait for a lock has passed; a row that NOWAIT found locked. */
    private static final Set<Integer> LOCK_WAIT_CODES = Set.of(1205, 3572);

    /** MariaDB's: a row has changed since the transaction's snapshot, so that it was rolled back, as after a deadlock. */
    private static final int CHANGED_SINCE_READ = 1020;

    /** The same of H2's, which has to be rolled back: it would fail with this row again. */
    private static final String CHANGED_SINCE_READ_BY_H2 = "90131";

    /**
     * Classes of failures that only a database's answer, or a look at the statement and its parameters, can give: also what is not supported, what a
     * view checks and what a trigger raises.
     */
    private static final Set<String> ABOUT_THE_ROW = Set.of("0A", "21", "22", "23", "42", "44", "45", "P0");

    /**
     * MariaDB's and MySQL's errors of the log that they commit into, and H2's of its file. The statement that commits by itself is told of
     * them after its row has got there, or before.
     */
    private static final Set<Integer> OF_THE_LOG = Set.of(1026, 1180, 1598, 90028, 90031);

    /** PostgreSQL's answer to a message that it cannot read, such as a simple query with a zero in a text. The next step shows whether the connection works. */
    private static final String NOT_READ = "08P01";

    /**
     * What MariaDB's driver says of itself, and so without a code, when it has lost the server and has connected to one again: the connection works, and
     * the statement may have been done.
     */
    private static final String CONNECTED_AGAIN = "25S03";

    private static final int SECONDS_TO_ANSWER = 5;

    /** What a failure says of itself, with all that it was caused by or that came with it. */
    public static FailureKind of(Throwable failure) {
        FailureKind kind = STATEMENT;
        for (Throwable each : all(failure)) {
            kind = kind.or(ofOne(each));
        }
        return kind;
    }

    /** A failure, with all that it was caused by or that came with it. */
    private static Iterable<Throwable> all(Throwable failure) {
        return failure instanceof SQLException chain
                ? chain
                : Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
    }

    /**
     * Whether a failure is the database's own answer to what it was told last, which then has certainly not been done.
     *
     * @param connection has to work still, if the failure does not say that it is about the row: an answer that came over it
     *     was the one that was due
     */
    public static boolean isRefusal(Throwable failure, Connection connection) {
        // A failure without a state is that of a part in between, which may have had the answer already.
        if (of(failure) == CONNECTION || !(failure instanceof SQLException sql) || sql.getSQLState() == null) {
            return false;
        }
        if (isAboutTheRow(sql.getSQLState()) || NOT_READ.equals(sql.getSQLState()) || isLockWait(sql)) {
            return true; // a pool may have closed the connection for it
        }
        return Tried.answer(() -> connection.isValid(SECONDS_TO_ANSWER), false);
    }

    /**
     * Whether a failed commit has certainly been rolled back: the error says so, or the database
     * ({@link DatabaseProduct#failsCommitsOnlyUndone}) answers a commit with an error only then.
     */
    public static boolean isRefusalOfCommit(Throwable failure, Connection connection) {
        if (!isRefusal(failure, connection)) {
            return false;
        }
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        if (state != null && (state.startsWith("23") || state.startsWith("40"))) {
            return true;
        }
        return failsCommitsOnlyUndone(connection);
    }

    /** Whether a failed statement that commits by itself has certainly not been done. */
    public static boolean isRefusalOfLoneStatement(Throwable failure, Connection connection) {
        return isRefusal(failure, connection) && (!isOfTheLog(failure) || failsCommitsOnlyUndone(connection));
    }

    private static boolean isOfTheLog(Throwable failure) {
        for (Throwable each : all(failure)) {
            if (each instanceof SQLException sql
                    && OF_THE_LOG.contains(sql.getErrorCode())
                    && !isAboutTheRow(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean failsCommitsOnlyUndone(Connection connection) {
        return Tried.answer(() -> DatabaseProduct.of(connection).failsCommitsOnlyUndone(), false);
    }

    /** Whether the same transaction may succeed another time: it was rolled back, waited for a lock in vain, or was cut off. */
    public static boolean mayPass(Throwable failure) {
        return of(failure) != STATEMENT || isLockWait(failure);
    }

    /**
     * Whether a row that was to be changed was locked by somebody else for too long. It is that row's failure, and leaves the
     * others of its transaction; MySQL's driver reports it with the state of a serialization failure nevertheless. Where a
     * database is configured to roll the transaction back then, the next savepoint of it shows that.
     */
    public static boolean isLockWait(Throwable failure) {
        for (Throwable each : all(failure)) {
            if (each instanceof SQLException sql
                    && ((LOCK_WAIT_CODES.contains(sql.getErrorCode()) && !isAboutTheRow(sql.getSQLState()))
                            || (sql.getSQLState() != null && LOCK_WAITS.contains(sql.getSQLState())))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the database did not answer within the connection's network time-out. */
    public static boolean isNetworkTimeout(Throwable failure) {
        for (Throwable each : all(failure)) {
            if (each instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAboutTheRow(@Nullable String state) {
        return state != null && state.length() == 5 && ABOUT_THE_ROW.contains(state.substring(0, 2));
    }

    private FailureKind or(FailureKind other) {
        return compareTo(other) < 0 ? other : this;
    }

    private static FailureKind ofOne(Throwable failure) {
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        if (isLoss(failure, state)) {
            return CONNECTION;
        }
        if (isLockWait(failure)) {
            return STATEMENT;
        }
        boolean rolledBack = failure instanceof SQLTransactionRollbackException
                || (state != null && (state.startsWith("40") || state.equals(CHANGED_SINCE_READ_BY_H2)))
                || (failure instanceof SQLException coded && coded.getErrorCode() == CHANGED_SINCE_READ);
        return rolledBack ? TRANSACTION : STATEMENT;
    }

    /**
     * Class 08 but for 08P01, and PostgreSQL's 57P01 to 57P05: the server shuts down, has crashed or drops the session; and what a driver says that
     * has {@linkplain #CONNECTED_AGAIN connected again}. The class of the exception counts as well, but for one: MariaDB's driver throws {@link SQLTransientConnectionException} for each state that it does not
     * know, such as those of triggers. It is a loss if it has no state.
     */
    private static boolean isLoss(Throwable failure, @Nullable String state) {
        if (failure instanceof IOException
                || failure instanceof SQLRecoverableException
                || failure instanceof SQLNonTransientConnectionException) {
            return true;
        }
        return state == null
                ? failure instanceof SQLTransientConnectionException
                : (state.startsWith("08") && !state.equals(NOT_READ))
                        || state.startsWith("57P")
                        || UNKNOWN.contains(state)
                        || (state.equals(CONNECTED_AGAIN) && ((SQLException) failure).getErrorCode() == 0);
    }
}
