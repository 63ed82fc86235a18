package io.github.collapseexecutor.sample.commitlog.xa;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sample.commitlog.LogFiles;
import io.github.collapseexecutor.sample.commitlog.LogStore;
import io.github.collapseexecutor.sample.commitlog.UncertainAppendException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A table of rows whose transactions go through two logs: the engine's redo log, from which the table is rebuilt, and the
 * binlog, which says to others what happened.
 *
 * <pre>{@code
 * try (TransactionStore store = TransactionStore.open(directory, TransactionStoreOptions.defaults())) {
 *     long xid = store.commit(Map.of("stock/7", "41", "order/1", "7"));
 *     String stock = store.read("stock/7");
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> A transaction is in both logs or in neither, all its rows are in the table or none, and the table takes
 * transactions in the order of the binlog. With the default settings a transaction whose {@link #commit} has returned is
 * durable; {@link TransactionStoreOptions#flushLogAtCommit()} and {@link TransactionStoreOptions#syncBinlog()} give part of that away. A
 * transaction writes rows without having read them: there are no row locks, the last one in the binlog wins.
 *
 * <p><b>Threads.</b> Instances may be shared by any number of threads. A commit cannot be interrupted: an interruption stays
 * pending until it returns. A directory belongs to one open store at a time.
 *
 * <p><b>Failure.</b> After an {@link UncertainAppendException} of {@link #commit} the transaction may be committed or not, and
 * opening the store again decides. After any other {@link IOException} it is rolled back. After an {@link Error}, such as one for
 * want of memory, it may be either.
 */
public final class TransactionStore implements Closeable {

    // immutable
    private final Path directory;
    private final RedoLog redo;
    private final Binlog binlog;
    private final Table table;
    private final RecoveryReport recovery;
    private final CommitPath path;
    private final int maxRecordSize;
    private final ReadWriteLock closing = new ReentrantReadWriteLock();

    // mutable, guarded by closing
    private boolean closed;

    private TransactionStore(
            Path directory,
            TransactionStoreOptions options,
            XaRules rules,
            LogStore redoLog,
            LogStore binlogLog,
            XaRecovery recovered) {
        this.directory = directory;
        redo = new RedoLog(redoLog, recovered.lastLsn(), options.flushLogAtCommit(), options.flushLogInterval());
        binlog = new Binlog(binlogLog, options.syncBinlog());
        table = recovered.table();
        recovery = recovered.report();
        path = options.way().path(new CommitSteps(redo, binlog, table, rules, recovered.lastXid()));
        maxRecordSize = options.maxRecordSize();
    }

    /**
     * Opens the store in a directory, and recovers what is there.
     *
     * @param directory the store's own; it is created if it does not exist
     * @param options how it commits
     * @return the store
     * @throws IOException if another store is open on the directory, or it cannot be read or written, or a log is corrupt
     */
    public static TransactionStore open(Path directory, TransactionStoreOptions options) throws IOException {
        return open(directory, options, LogFiles.onDisk(), new XaRules());
    }

    /** Opens the store on files that are given, by rules that are given. */
    static TransactionStore open(Path directory, TransactionStoreOptions options, LogFiles files, XaRules rules)
            throws IOException {
        requireNonNull(directory, "directory");
        requireNonNull(options, "options");
        LogFiles uninterrupted = new UninterruptedFiles(files);
        LogStore binlog = LogStore.open(binlog(directory), options.binlogFiles(), uninterrupted);
        try {
            LogStore redo = LogStore.open(redo(directory), options.redoFiles(), uninterrupted);
            try {
                return new TransactionStore(directory, options, rules, redo, binlog, XaRecovery.of(redo, binlog));
            } catch (Throwable thrown) {
                redo.close();
                throw thrown;
            }
        } catch (Throwable thrown) {
            binlog.close();
            throw thrown;
        }
    }

    static Path redo(Path directory) {
        return directory.resolve("redo");
    }

    static Path binlog(Path directory) {
        return directory.resolve("binlog");
    }

    /**
     * Writes rows in one transaction, and returns when it is committed.
     *
     * @param rows values by keys; at least one. They are copied
     * @return the transaction's xid
     * @throws IllegalArgumentException if there is no row, or the transaction is larger than 1 MiB
     * @throws IllegalStateException if the store is closed
     * @throws UncertainAppendException if the transaction may be committed or not
     * @throws IOException if the transaction is rolled back
     */
    public long commit(Map<String, String> rows) throws IOException {
        Map<String, String> written = Map.copyOf(rows);
        check(written);
        closing.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("The store in " + directory + " is closed: open it again");
            }
            return path.commit(written);
        } finally {
            closing.readLock().unlock();
        }
    }

    private void check(Map<String, String> rows) {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("The transaction has no row: commit at least one");
        }
        long characters = 0;
        for (Map.Entry<String, String> row : rows.entrySet()) {
            characters += row.getKey().length() + row.getValue().length();
        }
        // Only a transaction that may be too large is encoded to find out.
        if (4 * characters + 8L * rows.size() + 16 > maxRecordSize) {
            int size = StoreRecord.rows(0, rows).length;
            if (size > maxRecordSize) {
                throw new IllegalArgumentException("The transaction has " + size + " bytes, but a record may have "
                        + maxRecordSize + ": split it");
            }
        }
    }

    /**
     * Reads a row.
     *
     * @param key its key
     * @return the value that the last committed transaction has written, or null if there is none
     */
    public @Nullable String read(String key) {
        return table.read(key);
    }

    /**
     * Reads all rows at one moment.
     *
     * @return values by keys, a copy
     */
    public Map<String, String> rows() {
        return table.rows();
    }

    /**
     * Says what opening the store did with transactions that a crash had left between the two logs.
     *
     * @return xids
     */
    public RecoveryReport recovery() {
        return recovery;
    }

    /** Reads the transactions of the binlog, in order; for a time when none is committed. */
    void scanBinlog(LogStore.RecordReader reader) throws IOException {
        binlog.scan(reader);
    }

    /**
     * Closes the store when every commit that was called before has its outcome, and both logs are durable; later ones fail. A
     * second call does nothing.
     *
     * @throws IOException if a log cannot be made durable or closed
     */
    @Override
    public void close() throws IOException {
        closing.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                path.shutDown();
                try (binlog;
                        redo) {
                    binlog.sync();
                }
            }
        } finally {
            closing.writeLock().unlock();
        }
    }
}
