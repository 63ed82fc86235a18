package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.LogStore;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The engine's own log: a buffer in memory, in front of a log on files.
 *
 * <p>A record has its LSN as soon as it is in the buffer. A thread that needs a record in the file writes the whole buffer, so that it
 * may do so for others: they find it done when they get the lock.
 *
 * <p><b>Failure.</b> What could not be written stays in the buffer, so that the log keeps its order, and is tried again with the
 * next write. If the file could not be synced, nothing is written any more until the store is opened again. While the buffer is
 * full, or could not be made durable after the interval, a transaction is refused before it is in the buffer.
 */
final class RedoLog implements Closeable {

    /** Bytes in the buffer beyond which the next transaction writes it out, whatever the setting. */
    private static final int BUFFER_SIZE = 8 << 20;

    private static final int EACH_COMMIT = 1;
    private static final int WRITE_AT_EACH_COMMIT = 2;

    // immutable
    private final LogStore log;
    private final int flushLogAtCommit;
    private final long intervalNanos;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicBoolean flushIsDue = new AtomicBoolean();
    private final ReentrantLock buffering = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();

    // mutable, guarded by buffering
    private List<byte[]> buffer = new ArrayList<>();
    private long bufferedBytes;
    private long lastLsn;

    // mutable, written under the lock "buffering"
    private volatile boolean isFull;

    // mutable, written by the thread that flushes
    private volatile boolean intervalFailed;

    // mutable, written under the lock "writing"
    private volatile long writtenLsn;

    // mutable, by any thread; a value that is too small costs a look at the log
    private volatile long syncedLsn;

    /**
     * Goes on with a log.
     *
     * @param lastLsn of its last record, which is durable
     */
    RedoLog(LogStore log, long lastLsn, int flushLogAtCommit, Duration interval) {
        this.log = log;
        this.lastLsn = lastLsn;
        this.writtenLsn = lastLsn;
        this.syncedLsn = lastLsn;
        this.flushLogAtCommit = flushLogAtCommit;
        this.intervalNanos = interval.toNanos();
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "store-redo-interval");
            thread.setDaemon(true);
            return thread;
        });
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Puts a transaction's rows into the buffer and returns their LSN. */
    long prepare(byte[] rows) throws IOException {
        makeRoom();
        long lsn;
        buffering.lock();
        try {
            lsn = append(rows);
        } finally {
            buffering.unlock();
        }
        flushInAWhile();
        return lsn;
    }

    private void makeRoom() throws IOException {
        if (intervalFailed) {
            flush();
        }
        if (isFull) {
            writing.lock();
            try {
                if (isFull) {
                    writeBuffer();
                }
            } finally {
                writing.unlock();
            }
        }
    }

    /** Puts marks into the buffer, behind one another; this cannot fail. */
    void mark(StoreRecord.Kind kind, List<Prepared> transactions) {
        buffering.lock();
        try {
            for (Prepared transaction : transactions) {
                append(StoreRecord.mark(kind, transaction.xid()));
            }
        } finally {
            buffering.unlock();
        }
        flushInAWhile();
    }

    /** With the lock "buffering" held. */
    private long append(byte[] record) {
        buffer.add(record);
        buffered(record.length);
        return ++lastLsn;
    }

    /** With the lock "buffering" held. */
    private void buffered(long bytes) {
        bufferedBytes += bytes;
        isFull = bufferedBytes > BUFFER_SIZE;
    }

    /** Does with the records up to an LSN what {@code flushLogAtCommit} asks for before the binlog is written. */
    void flushAtCommit(long lsn) throws IOException {
        if (flushLogAtCommit == EACH_COMMIT || flushLogAtCommit == WRITE_AT_EACH_COMMIT) {
            write(lsn);
        }
        if (flushLogAtCommit == EACH_COMMIT) {
            sync(lsn);
        }
    }

    /** Returns when everything is durable that is in the buffer now. */
    void flush() throws IOException {
        long lsn;
        buffering.lock();
        try {
            lsn = lastLsn;
        } finally {
            buffering.unlock();
        }
        write(lsn);
        sync(lsn);
        intervalFailed = false;
    }

    private void write(long lsn) throws IOException {
        if (lsn <= writtenLsn) {
            return;
        }
        writing.lock();
        try {
            if (lsn > writtenLsn) {
                writeBuffer();
            }
        } finally {
            writing.unlock();
        }
    }

    /** With the lock "writing" held. */
    private void writeBuffer() throws IOException {
        List<byte[]> records;
        long bytes;
        long lsn;
        buffering.lock();
        try {
            records = buffer;
            bytes = bufferedBytes;
            lsn = lastLsn;
            buffer = new ArrayList<>();
            buffered(-bytes);
        } finally {
            buffering.unlock();
        }
        boolean isWritten = false;
        try {
            log.append(records);
            writtenLsn = lsn;
            isWritten = true;
        } catch (IOException e) {
            throw new IOException("The transaction is rolled back: the redo log could not be written (" + e + ")", e);
        } finally {
            if (!isWritten) {
                putBack(records, bytes);
            }
        }
    }

    private void putBack(List<byte[]> records, long bytes) {
        buffering.lock();
        try {
            records.addAll(buffer);
            buffer = records;
            buffered(bytes);
        } finally {
            buffering.unlock();
        }
    }

    private void sync(long lsn) throws IOException {
        if (lsn <= syncedLsn) {
            return;
        }
        try {
            log.sync(lsn);
        } catch (IOException e) {
            // The binlog does not name the transaction, so that recovery will roll it back.
            throw new IOException("The transaction is rolled back: the redo log could not be synced (" + e + ")", e);
        }
        syncedLsn = Math.max(syncedLsn, lsn);
    }

    /** Sees to it that what is in the buffer is durable after the interval, unless each commit does so. */
    private void flushInAWhile() {
        if (flushLogAtCommit != EACH_COMMIT && !flushIsDue.get() && flushIsDue.compareAndSet(false, true)) {
            // The task sees to its failure itself.
            ScheduledFuture<?> unused = timer.schedule(this::flushNow, intervalNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void flushNow() {
        flushIsDue.set(false);
        try {
            flush();
        } catch (IOException e) {
            intervalFailed = true; // the next transaction tries again, and is told
            flushInAWhile();
        }
    }

    /** Closes the log when everything in it is durable. */
    @Override
    public void close() throws IOException {
        timer.shutdown();
        try {
            flush();
        } finally {
            log.close();
        }
    }
}
