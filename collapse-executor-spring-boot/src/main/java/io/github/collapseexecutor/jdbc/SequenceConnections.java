package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs a statement on a connection of its own and commits it before anybody sees what it gave. */
final class SequenceConnections {

    /** What is done with a connection. */
    @FunctionalInterface
    interface Statements {
        long[] run(Connection connection, SequenceDialect dialect) throws SQLException;
    }

    // immutable
    private final DataSource dataSource;

    // mutable
    /** Written once or more, always with the same value. */
    private volatile @Nullable SequenceDialect dialect;

    SequenceConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    long[] run(Statements statements) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            SequenceDialect known = dialect;
            if (known == null) {
                known = SequenceDialect.of(connection);
                dialect = known;
            }
            if (connection.getAutoCommit()) {
                return statements.run(connection, known);
            }
            return runAndCommit(connection, known, statements);
        }
    }

    private static long[] runAndCommit(Connection connection, SequenceDialect dialect, Statements statements)
            throws SQLException {
        try {
            long[] numbers = statements.run(connection, dialect);
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
