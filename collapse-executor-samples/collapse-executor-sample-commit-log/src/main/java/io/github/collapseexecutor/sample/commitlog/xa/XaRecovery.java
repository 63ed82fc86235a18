package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.LogStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rebuilds the table from the redo log, and decides what becomes of transactions that it holds as prepared only: the binlog
 * is the coordinator of the XA transaction, so they are committed if its last file names them, else rolled back.
 *
 * <p>Marks stand in the redo log in the order of the binlog, and a crash takes the last ones. So the transactions that are committed
 * here come after all that are marked, in the order of the binlog.
 */
final class XaRecovery {

    // immutable
    private final LogStore redo;
    private final Table table = new Table();

    // mutable, confined to the thread that recovers
    private final Set<Long> named = new LinkedHashSet<>();
    private final Map<Long, Map<String, String>> prepared = new LinkedHashMap<>();
    private final List<Long> committed = new ArrayList<>();
    private final List<Long> onlyInBinlog = new ArrayList<>();
    private long lastXid;
    private long lastLsn;

    private XaRecovery(LogStore redo) {
        this.redo = redo;
        this.lastLsn = redo.lastLsn();
    }

    static XaRecovery of(LogStore redo, LogStore binlog) throws IOException {
        XaRecovery recovery = new XaRecovery(redo);
        binlog.scanLastSegment((lsn, data) -> recovery.name(data));
        redo.scan(recovery::replay);
        recovery.decide();
        return recovery;
    }

    private void name(ByteBuffer data) throws IOException {
        long xid = StoreRecord.decoded(data).xid();
        lastXid = Math.max(lastXid, xid);
        named.add(xid);
    }

    private void replay(long lsn, ByteBuffer data) throws IOException {
        StoreRecord record = StoreRecord.decoded(data);
        lastXid = Math.max(lastXid, record.xid());
        switch (record.kind()) {
            case ROWS -> prepared.put(record.xid(), record.rows());
            case COMMIT -> {
                table.apply(ended(lsn, record.xid()));
                named.remove(record.xid());
            }
            case ROLLBACK -> ended(lsn, record.xid());
        }
    }

    private Map<String, String> ended(long lsn, long xid) throws IOException {
        Map<String, String> rows = prepared.remove(xid);
        if (rows == null) {
            throw new IOException("Redo record " + lsn + " ends transaction " + xid
                    + ", which is not prepared: restore the redo log from a copy");
        }
        return rows;
    }

    private void decide() throws IOException {
        List<byte[]> marks = new ArrayList<>();
        for (long xid : named) {
            Map<String, String> rows = prepared.remove(xid);
            if (rows == null) {
                onlyInBinlog.add(xid);
            } else {
                table.apply(rows);
                committed.add(xid);
                marks.add(StoreRecord.mark(StoreRecord.Kind.COMMIT, xid));
            }
        }
        for (long xid : prepared.keySet()) {
            marks.add(StoreRecord.mark(StoreRecord.Kind.ROLLBACK, xid));
        }
        if (!marks.isEmpty()) {
            lastLsn = redo.append(marks);
            redo.sync(lastLsn);
        }
    }

    Table table() {
        return table;
    }

    RecoveryReport report() {
        return new RecoveryReport(committed, List.copyOf(prepared.keySet()), onlyInBinlog);
    }

    /** The largest xid that either log may still name. */
    long lastXid() {
        return lastXid;
    }

    /** The LSN of the redo log's last record, which is durable. */
    long lastLsn() {
        return lastLsn;
    }
}
