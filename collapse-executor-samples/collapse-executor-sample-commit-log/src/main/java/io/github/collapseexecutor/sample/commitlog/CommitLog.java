package io.github.collapseexecutor.sample.commitlog;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of records in a directory, in which concurrent appends share writes and syncs.
 *
 * <pre>{@code
 * try (CommitLog log = CommitLog.open(directory, CommitLogOptions.defaults())) {
 *     long lsn = log.append(record);
 *     byte[] same = log.read(lsn);
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> A record whose {@link #append} has returned is durable and found by {@link #read}, also after the
 * process or the machine has stopped at any moment, as far as the device holds what it says it holds. LSNs are 1, 2, 3 … in
 * the order in which the appends were submitted, and records become visible in that order.
 *
 * <p><b>Stages.</b> A record passes three {@linkplain Stage stages}. <em>Flush</em> gives the LSNs and writes the records of
 * its batch; <em>sync</em> forces the file, unless that has happened since they were written; <em>commit</em> makes them
 * visible. Each has one batch in flight and a thread of its own: while one group is synced, the next one is written, and the
 * groups that come meanwhile are synced together.
 *
 * <p><b>Failure.</b> An append that fails with an {@link UncertainAppendException} may have come into the log or not; with any
 * other failure it has not. If forcing the file fails, or a segment is deleted or replaced while the log is open, every append
 * fails from then on, until the log is opened again.
 *
 * <p>Instances may be shared by any number of threads. A directory belongs to one open log at a time.
 */
public final class CommitLog implements Closeable {

    // immutable
    private final LogStore store;
    private final int maxRecordSize;
    private final Stage<Entry> flush;
    private final Stage<Group> sync;
    private final Stage<Group> commit;
    private final ReentrantLock closingLock = new ReentrantLock();

    // mutable, guarded by closingLock
    private boolean closed;

    // mutable, confined to the flush stage
    private boolean sealed;

    private CommitLog(LogStore store, CommitLogOptions options, @Nullable CollapseListener listener) {
        this.store = store;
        maxRecordSize = options.maxRecordSize();
        flush = Stage.onOwnThread("commit-log-flush", options.maxGroupRecords(), listener, this::flush);
        sync = Stage.onOwnThread("commit-log-sync", CollapseOptions.UNLIMITED, listener, this::sync);
        commit = Stage.onOwnThread("commit-log-commit", CollapseOptions.UNLIMITED, listener, this::commit);
    }

    /**
     * Opens the log in a directory, and recovers what is there. A tail that a crash has torn is cut off.
     *
     * @param directory the log's own; it is created if it does not exist
     * @param options sizes
     * @return the log
     * @throws CorruptLogException if the last segment is damaged elsewhere than at its end, or the directory does not hold
     *     the segments that the log has; nothing is changed then, and the message says how to mend it
     * @throws IOException if another log is open on the directory, or it cannot be read or written
     */
    public static CommitLog open(Path directory, CommitLogOptions options) throws IOException {
        return open(directory, options, new DiskFiles(), null);
    }

    /**
     * Opens the log on files that are given.
     *
     * @param listener is told of the batches of all stages, if not null
     */
    static CommitLog open(Path directory, CommitLogOptions options, LogFiles files, @Nullable CollapseListener listener)
            throws IOException {
        return new CommitLog(
                LogStore.open(requireNonNull(directory, "directory"), requireNonNull(options, "options"), files),
                options,
                listener);
    }

    /**
     * Appends a record and returns when it is durable.
     *
     * @param record what to append; may be empty. It is copied
     * @return its LSN
     * @throws IllegalArgumentException if the record is larger than {@link CommitLogOptions#maxRecordSize()}
     * @throws IllegalStateException if the log is closed
     * @throws UncertainAppendException if the record may be in the log or not
     * @throws IOException if the record could not be written and is not in the log
     * @throws InterruptedException if the thread is interrupted while it waits; its message says whether the record was
     *     withdrawn before anything of it was written, or may be in the log
     */
    public long append(byte[] record) throws IOException, InterruptedException {
        if (record.length > maxRecordSize) {
            throw new IllegalArgumentException("The record has " + record.length + " bytes, but maxRecordSize is "
                    + maxRecordSize + ": split it, or open the log with a larger maxRecordSize");
        }
        Entry entry = Entry.of(record.clone());
        CompletableFuture<Boolean> through = flush.execute(entry);
        try {
            through.get();
            return entry.lsn();
        } catch (InterruptedException e) {
            throw interrupted(entry, e);
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        }
    }

    private static InterruptedException interrupted(Entry entry, InterruptedException cause) {
        InterruptedException interrupted = new InterruptedException(
                entry.withdraw()
                        ? "Interrupted before the record was written: it is not in the log"
                        : "Interrupted while the record was written: it may be in the log");
        interrupted.initCause(cause);
        return interrupted;
    }

    private IOException thrown(@Nullable Throwable failure) throws IOException {
        if (failure instanceof RejectedExecutionException) {
            throw closedAlready();
        }
        if (failure instanceof IOException exception) {
            throw exception;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw new IOException("The record could not be appended", failure);
    }

    private CompletableFuture<Boolean> flush(List<Entry> entries) throws IOException {
        if (sealed) {
            throw closedAlready();
        }
        List<Entry> records = entries.stream()
                .filter(entry -> !entry.isLast() && entry.take())
                .toList();
        sealed = entries.stream().anyMatch(Entry::isLast);
        return sync.execute(store.write(records));
    }

    private CompletableFuture<Boolean> sync(List<Group> groups) throws IOException {
        Group group = Group.joined(groups);
        store.sync(group.lastLsn());
        return commit.execute(group);
    }

    private CompletableFuture<Boolean> commit(List<Group> groups) {
        groups.forEach(store::commit);
        return CompletableFuture.completedFuture(true);
    }

    /**
     * Reads a record.
     *
     * @param lsn what {@link #append} returned
     * @return the record
     * @throws java.util.NoSuchElementException if there is no such record, or it is not visible yet
     * @throws CorruptLogException if it, or the segment that it stands in, is damaged
     * @throws IOException if the file cannot be read
     */
    public byte[] read(long lsn) throws IOException {
        return store.read(lsn);
    }

    /**
     * Returns the LSN of the last record that is visible.
     *
     * @return an LSN, or 0 if the log holds no record
     */
    public long lastLsn() {
        return store.lastLsn();
    }

    /**
     * Closes the log when every append that was submitted before has its outcome; later ones fail. A second call waits for
     * the first and does nothing.
     *
     * @throws IOException if the files cannot be closed; all that was acknowledged is durable nevertheless
     */
    @Override
    public void close() throws IOException {
        closingLock.lock();
        try {
            if (!closed) {
                closed = true;
                // Stages keep the order of submission: what was submitted before these is through when these are,
                // even if a group failed and went no further.
                await(flush.execute(Entry.last()));
                await(sync.execute(Group.EMPTY));
                await(commit.execute(Group.EMPTY));
                flush.shutDown();
                sync.shutDown();
                commit.shutDown();
                store.close();
            }
        } finally {
            closingLock.unlock();
        }
    }

    /** Waits for an outcome, whatever it is: a failure is told to the threads that appended. */
    private static void await(CompletableFuture<Boolean> through) {
        through.handle((done, failure) -> done).join();
    }

    private IllegalStateException closedAlready() {
        return new IllegalStateException("The log in " + store.directory() + " is closed: open it again");
    }
}
