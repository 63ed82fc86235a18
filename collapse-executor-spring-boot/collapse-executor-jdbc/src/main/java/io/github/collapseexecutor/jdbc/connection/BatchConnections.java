package io.github.collapseexecutor.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections that one batch is written over, one after the other: the first is had before anything is taken from a
 * caller, so that a caller that leaves while there is none knows that nothing is written; the others for further attempts.
 * Public for other packages of the library only.
 */
public final class BatchConnections implements AutoCloseable {

    // immutable
    private final DataSource dataSource;
    private final CommitCounts commits = new CommitCounts();

    // mutable, confined to the thread that writes the batch
    private @Nullable Connection first;

    private BatchConnections(DataSource dataSource, Connection first) {
        this.dataSource = dataSource;
        this.first = first;
    }

    /** Waits for the first connection. */
    public static BatchConnections of(DataSource dataSource) throws SQLException {
        return new BatchConnections(dataSource, connect(dataSource));
    }

    /**
     * Waits for a connection to the database. A data source may give one that connects only when it is used: that failure would
     * look like one of the first statement. So the connection is used here, by a call that a driver answers by itself.
     */
    public static Connection connect(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            connection.getMetaData();
            return connection;
        } catch (SQLException | RuntimeException failure) {
            if (connection.isClosed()) {
                return connection; // that a pool has kept too long: its attempt is lost, and the next one gets another
            }
            try (connection) {
                throw failure;
            }
        }
    }

    /** Whether a connection cannot be used any more; a proxy around one that a pool has closed may not say so itself. */
    public static boolean isClosed(Connection connection) {
        return Tried.answer(
                () -> {
                    connection.getMetaData();
                    return connection.isClosed();
                },
                true);
    }

    /** Has a connection break, so that a pool does not give it to anybody else. */
    public static void abort(Connection connection) {
        Tried.done(() -> connection.abort(Runnable::run));
    }

    /** How the transactions over these connections ended. */
    public CommitCounts commits() {
        return commits;
    }

    /** The next connection, to be closed by the caller before it asks again. */
    public Connection next() throws SQLException {
        Connection ready = first;
        first = null;
        return ready == null ? connect(dataSource) : ready;
    }

    /** Gives the first connection back if nobody has asked for it. */
    @Override
    public void close() throws SQLException {
        if (first != null) {
            first.close();
        }
    }
}
