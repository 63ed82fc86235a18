package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A connection that a writer was given, and what it has to undo before it gives it back: the network time-out, and automatic commit that is
 * switched off.
 *
 * <p>Switching automatic commit on commits what is open. So it is switched back only as the commit, or after a commit or a
 * rollback that was answered; a connection that cannot do that is aborted, never given back to the pool with rows in it that
 * were reported as failed.
 *
 * <p>Where batches follow one another on one thread, it stays switched off between them: MariaDB takes a round trip to switch it. It is
 * given back after a while nevertheless, for those who wait for a connection of the pool.
 */
final class WriterConnection {

    private static final long KEPT_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    // immutable
    private final DataSource dataSource;
    private final Connection connection;
    private final long since = System.nanoTime();

    // mutable, confined to the writing thread
    private boolean switchedOff;
    private boolean bounded;

    private WriterConnection(DataSource dataSource, Connection connection) {
        this.dataSource = dataSource;
        this.connection = connection;
    }

    /** Waits for a connection. */
    static WriterConnection of(DataSource dataSource) throws SQLException {
        return new WriterConnection(dataSource, dataSource.getConnection());
    }

    Connection connection() {
        return connection;
    }

    boolean isOf(DataSource other) {
        return dataSource == other;
    }

    /** Whether the writer may have it for the next batch, too. */
    boolean mayBeKept() {
        return System.nanoTime() - since < KEPT_FOR_NANOS;
    }

    /** Bounds how long the database may be silent, for as long as the writer has the connection. */
    void bound(NetworkTimeout timeout) {
        bounded |= timeout.set(connection);
    }

    /** Switches automatic commit off, unless it is. */
    void begin() throws SQLException {
        if (connection.getAutoCommit()) {
            switchedOff = true;
            connection.setAutoCommit(false);
            if (connection.getAutoCommit()) {
                throw new IllegalStateException(
                        "The data source does not let automatic commit be switched off, so that a"
                                + " batch could not be taken back: give one whose transactions are not managed elsewhere");
            }
        }
    }

    /**
     * Commits. For MariaDB, switching automatic commit on again commits what is open: one round trip instead of two, if that
     * has to be done anyway.
     *
     * @param kept whether automatic commit is to stay off
     */
    void commit(boolean kept) throws SQLException {
        if (!kept && switchedOff && "MariaDB".equals(connection.getMetaData().getDatabaseProductName())) {
            connection.setAutoCommit(true);
        } else {
            connection.commit();
        }
    }

    /** Undoes what was changed. */
    private void restore(boolean open) throws SQLException {
        if (!connection.getAutoCommit()) {
            if (open) {
                connection.rollback();
            }
            if (switchedOff) {
                connection.setAutoCommit(true);
            }
        }
        if (bounded) {
            NetworkTimeout.unset(connection);
        }
    }

    /**
     * Gives it back as it was.
     *
     * @param open whether it may hold a transaction still
     */
    void giveBack(boolean open) {
        try {
            restore(open);
        } catch (SQLException | RuntimeException broken) {
            abort();
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException ignored) {
            // The rows have their outcomes, and there is nobody left whom this would concern.
        }
    }

    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ignored) {
            // Then it is broken already.
        }
    }
}
