package io.github.collapseexecutor.sample.commitlog.xa;

import java.util.Map;

/** A transaction between prepare and commit. */
final class Prepared {

    // immutable
    private final long xid;
    private final Map<String, String> rows;
    private final byte[] record;
    private final long redoLsn;

    Prepared(long xid, Map<String, String> rows, byte[] record, long redoLsn) {
        this.xid = xid;
        this.rows = rows;
        this.record = record;
        this.redoLsn = redoLsn;
    }

    long xid() {
        return xid;
    }

    /** What it writes. */
    Map<String, String> rows() {
        return rows;
    }

    /** Its record, the same in both logs; not copied. */
    byte[] record() {
        return record;
    }

    /** The LSN of its record in the redo log. */
    long redoLsn() {
        return redoLsn;
    }
}
