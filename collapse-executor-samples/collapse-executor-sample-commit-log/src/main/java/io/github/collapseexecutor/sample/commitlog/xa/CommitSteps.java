package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.UncertainAppendException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The steps of a commit on both logs and the table. The {@linkplain CommitWay ways} differ in the thread that takes them, and in the
 * number of transactions that share them.
 *
 * <p>A transaction that fails before it is in the binlog is rolled back by that: no reader has seen it, and recovery finds its prepare without
 * its xid.
 */
final class CommitSteps {

    // immutable
    private final RedoLog redo;
    private final Binlog binlog;
    private final Table table;
    private final XaRules rules;

    // mutable, atomic
    private final AtomicLong lastXid;

    // mutable, written by the thread that commits
    private volatile long committedLsn;

    CommitSteps(RedoLog redo, Binlog binlog, Table table, XaRules rules, long lastXid) {
        this.redo = redo;
        this.binlog = binlog;
        this.table = table;
        this.rules = rules;
        this.lastXid = new AtomicLong(lastXid);
        this.committedLsn = binlog.lastLsn();
    }

    /** Gives the transaction an xid, and puts it into the redo log's buffer. Any thread. */
    Prepared prepare(Map<String, String> rows) throws IOException {
        long xid = lastXid.incrementAndGet();
        byte[] record = StoreRecord.rows(xid, rows);
        return new Prepared(xid, rows, record, redo.prepare(record));
    }

    /** Makes a prepare as durable as {@code flushLogAtCommit} says. Any thread. */
    void flushRedo(long redoLsn) throws IOException {
        redo.flushAtCommit(redoLsn);
    }

    /**
     * Ends the binlog's file if it is full. One thread at a time, that which writes groups.
     *
     * @param awaitOlder returns when all transactions that are in the binlog are committed
     */
    void endFileIfFull(XaRules.Step awaitOlder) throws IOException {
        if (binlog.isFull()) {
            rules.endFile(
                    () -> {
                        awaitOlder.run();
                        checkAllCommitted();
                    },
                    redo::flush);
        }
    }

    private void checkAllCommitted() throws IOException {
        if (committedLsn != binlog.lastLsn()) {
            throw new IOException(
                    "The transaction is rolled back: the binlog needs another file, but cannot end this one, because"
                            + " a transaction in it could not be committed. Close the store and open it again");
        }
    }

    /** Writes a group to the binlog, after a step on the redo log. One thread at a time. */
    BinlogGroup writeGroup(XaRules.Step redoStep, List<Prepared> transactions) throws IOException {
        return rules.writeGroup(redoStep, () -> binlog.write(transactions));
    }

    /** Makes a group as durable in the binlog as {@code syncBinlog} says. One thread at a time, in order. */
    void syncBinlog(BinlogGroup group) throws UncertainAppendException {
        binlog.endGroup(group);
    }

    /**
     * Makes a group visible, and marks it in the redo log's buffer; that need not be written, because recovery would find the
     * xids in the binlog. One thread at a time, in order.
     *
     * @throws UncertainAppendException if a group before it could not be committed: recovery will commit that one, and has to
     *     find no mark of a later one
     */
    void commit(BinlogGroup group) throws UncertainAppendException {
        if (group.firstLsn() != committedLsn + 1) {
            throw new UncertainAppendException(
                    "The transaction is in the binlog, but one before it could not be committed:"
                            + " close the store and open it again");
        }
        redo.mark(StoreRecord.Kind.COMMIT, group.transactions());
        table.apply(group.transactions());
        committedLsn = group.lastLsn();
    }
}
