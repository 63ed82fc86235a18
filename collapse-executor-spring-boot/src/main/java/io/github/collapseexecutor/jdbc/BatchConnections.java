package io.github.collapseexecutor.jdbc;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections that one batch is written over, one after the other: the first is had before anything is taken from a
 * caller, so that whoever leaves while there is none knows that nothing is written; the others for further attempts.
 */
final class BatchConnections implements AutoCloseable {

    // immutable
    private final DataSource dataSource;
    private final boolean keeps;
    private final CommitCounts commits = new CommitCounts();

    // mutable, confined to the thread that writes the batch
    private @Nullable WriterConnection ready;

    private BatchConnections(DataSource dataSource, boolean keeps, WriterConnection first) {
        this.dataSource = dataSource;
        this.keeps = keeps;
        this.ready = first;
    }

    /**
     * Waits for the first connection, unless the calling writer has kept one.
     *
     * @param keeps whether the last one is to be kept for the batch that follows on the same thread
     */
    static BatchConnections of(DataSource dataSource, boolean keeps) throws SQLException {
        WriterConnection kept = WriterThreads.takeKept();
        if (kept != null && !kept.isOf(dataSource)) {
            kept.giveBack(false);
            kept = null;
        }
        return new BatchConnections(dataSource, keeps, kept == null ? WriterConnection.of(dataSource) : kept);
    }

    /** How the transactions over these connections ended. */
    CommitCounts commits() {
        return commits;
    }

    /** The next connection, to be given back or {@linkplain #keep kept} by whoever asks, before asking again. */
    WriterConnection next() throws SQLException {
        WriterConnection next = ready;
        ready = null;
        return next == null ? WriterConnection.of(dataSource) : next;
    }

    /** Whether a connection may stay as it is after a commit. */
    boolean mayKeep(WriterConnection connection) {
        return keeps && connection.mayBeKept();
    }

    /** Takes back a connection whose transaction was committed, and which was not restored. */
    void keep(WriterConnection connection) {
        ready = connection;
    }

    /** Gives back the connection that nobody has asked for, or has the writer keep it. */
    @Override
    public void close() {
        if (ready != null && !(keeps && WriterThreads.keep(ready))) {
            ready.giveBack(false);
        }
        ready = null;
    }
}
