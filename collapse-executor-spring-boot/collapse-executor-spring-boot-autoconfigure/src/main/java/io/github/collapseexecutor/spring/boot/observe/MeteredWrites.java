package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.jdbc.WriteSummary;

/** Counts the rows and the commits of writers. */
final class MeteredWrites implements WriteListener {

    private static final String ROWS = "collapse.rows";
    private static final String COMMITS = "collapse.commits";

    /** What became of a row. */
    private enum RowOutcome {
        WRITTEN,
        UNCHANGED,
        FAILED,
        UNKNOWN
    }

    /** What became of a transaction. */
    private enum CommitOutcome {
        COMMITTED,
        ROLLED_BACK,
        UNKNOWN
    }

    // immutable
    private final CollapseMeters meters;

    MeteredWrites(CollapseMeters meters) {
        this.meters = meters;
    }

    @Override
    public void batchWritten(WriteSummary batch) {
        for (ExecutorMeters measured : meters.of(batch.writer())) {
            measured.count(ROWS, RowOutcome.WRITTEN, batch.written());
            measured.count(ROWS, RowOutcome.UNCHANGED, batch.unchanged());
            measured.count(ROWS, RowOutcome.FAILED, batch.failed());
            measured.count(ROWS, RowOutcome.UNKNOWN, batch.unknown());
            measured.count(COMMITS, CommitOutcome.COMMITTED, batch.commits());
            measured.count(COMMITS, CommitOutcome.ROLLED_BACK, batch.rollbacks());
            measured.count(COMMITS, CommitOutcome.UNKNOWN, batch.commitsUnknown());
        }
    }
}
