package io.github.collapseexecutor.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a failure reaches that a database or its driver reports. */
enum FailureKind {

    /** The statement had no effect; the transaction and the connection go on. */
    STATEMENT,
    /** The database has rolled the whole transaction back: a deadlock, a serialization failure. */
    TRANSACTION,
    /** The connection is lost, or what it answered is: what it had been told last may have been done. */
    CONNECTION;

    /** "statement completion unknown" and "transaction resolution unknown". */
    private static final Set<String> UNKNOWN = Set.of("40003", "08007");

    private static final int SECONDS_TO_ANSWER = 5;

    /** What a failure says of itself, with all that it was caused by or that came with it. */
    static FailureKind of(Throwable failure) {
        FailureKind kind = STATEMENT;
        if (failure instanceof SQLException chain) {
            for (Throwable each : chain) {
                kind = kind.or(ofOne(each));
            }
            return kind;
        }
        for (Throwable each = failure; each != null; each = each.getCause()) {
            kind = kind.or(ofOne(each));
        }
        return kind;
    }

    /**
     * Whether a failure is the database's own answer to what it was told last, which then has certainly not been done.
     *
     * @param connection has to work still: an answer that came over it was the one that was due
     */
    static boolean isRefusal(Throwable failure, Connection connection) {
        if (of(failure) == CONNECTION) {
            return false;
        }
        try {
            return connection.isValid(SECONDS_TO_ANSWER);
        } catch (SQLException | RuntimeException broken) {
            return false;
        }
    }

    /**
     * Whether a failed commit has certainly been rolled back.
     *
     * <p>PostgreSQL answers a commit with an error only then. MariaDB and MySQL do too where the error says so, but they
     * also report errors of the log that they commit into, after which anything may be.
     */
    static boolean isRefusalOfCommit(Throwable failure, Connection connection) {
        if (!isRefusal(failure, connection)) {
            return false;
        }
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        if (state != null && (state.startsWith("23") || state.startsWith("40"))) {
            return true;
        }
        try {
            return "PostgreSQL".equals(connection.getMetaData().getDatabaseProductName());
        } catch (SQLException | RuntimeException broken) {
            return false;
        }
    }

    private FailureKind or(FailureKind other) {
        return compareTo(other) < 0 ? other : this;
    }

    private static FailureKind ofOne(Throwable failure) {
        if (failure instanceof IOException
                || failure instanceof SQLRecoverableException
                || failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientConnectionException) {
            return CONNECTION;
        }
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        if (isLoss(state)) {
            return CONNECTION;
        }
        boolean rolledBack =
                failure instanceof SQLTransactionRollbackException || (state != null && state.startsWith("40"));
        return rolledBack ? TRANSACTION : STATEMENT;
    }

    /** Class 08, and PostgreSQL's 57P01 to 57P05: the server shuts down, has crashed or drops the session. */
    private static boolean isLoss(@Nullable String state) {
        return state != null && (state.startsWith("08") || state.startsWith("57P") || UNKNOWN.contains(state));
    }
}
