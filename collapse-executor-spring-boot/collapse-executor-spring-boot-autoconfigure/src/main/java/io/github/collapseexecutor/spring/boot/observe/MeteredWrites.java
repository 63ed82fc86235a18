package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.jdbc.WriteSummary;

/** Counts the rows and the commits of writers. */
final class MeteredWrites implements WriteListener {

    private static final String ROWS = "collapse.rows";
    private static final String COMMITS = "collapse.commits";

    // immutable
    private final CollapseMeters meters;

    MeteredWrites(CollapseMeters meters) {
        this.meters = meters;
    }

    @Override
    public void batchWritten(WriteSummary batch) {
        for (ExecutorMeters measured : meters.of(batch.writer())) {
            measured.count(ROWS, "written", batch.written());
            measured.count(ROWS, "unchanged", batch.unchanged());
            measured.count(ROWS, "failed", batch.failed());
            measured.count(ROWS, "unknown", batch.unknown());
            measured.count(COMMITS, "committed", batch.commits());
            measured.count(COMMITS, "rolled-back", batch.rollbacks());
            measured.count(COMMITS, "unknown", batch.commitsUnknown());
        }
    }
}
