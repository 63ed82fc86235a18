package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.LogStore;
import io.github.collapseexecutor.sample.commitlog.UncertainAppendException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The log of the transactions that happened, in the order in which they did; its files are segments.
 *
 * <p>{@link #isFull} and {@link #write} are called by one thread at a time, {@link #endGroup} by another one.
 */
final class Binlog implements Closeable {

    // immutable
    private final LogStore log;
    private final int syncBinlog;

    // mutable, written by the thread that writes
    private volatile long lastLsn;

    // mutable, confined to the thread that ends groups
    private int unsyncedGroups;

    Binlog(LogStore log, int syncBinlog) {
        this.log = log;
        this.syncBinlog = syncBinlog;
        this.lastLsn = log.lastLsn();
    }

    /** Whether the next group begins another file. */
    boolean isFull() {
        return log.isFull();
    }

    /** The LSN of the last transaction that was written. */
    long lastLsn() {
        return lastLsn;
    }

    /** Writes a group; what it fails with says whether the group may be in the binlog. */
    BinlogGroup write(List<Prepared> transactions) throws IOException {
        lastLsn = log.append(transactions.stream().map(Prepared::record).toList());
        return new BinlogGroup(transactions, lastLsn);
    }

    /** Syncs the file if the setting asks for it after this group. */
    void endGroup(BinlogGroup group) throws UncertainAppendException {
        if (syncBinlog > 0 && ++unsyncedGroups >= syncBinlog) {
            unsyncedGroups = 0;
            log.sync(group.lastLsn());
        }
    }

    /** Reads every transaction, in order; for a time when none is written. */
    void scan(LogStore.RecordReader reader) throws IOException {
        log.scan(reader);
    }

    /** Returns when all that was written is durable. */
    void sync() throws UncertainAppendException {
        log.sync(lastLsn);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
