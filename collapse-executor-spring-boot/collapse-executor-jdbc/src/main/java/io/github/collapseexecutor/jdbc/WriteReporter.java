package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.core.Contained;
import io.github.collapseexecutor.jdbc.connection.CommitCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the {@link WriteListener} of a writer what became of a batch, if there is one. */
final class WriteReporter {

    // immutable
    private final String writer;
    private final @Nullable WriteListener listener;

    // mutable, by itself
    private final Contained userCode = new Contained();

    WriteReporter(WriteOptions options) {
        this.writer = options.name();
        this.listener = options.writeListener();
    }

    /** A batch was written, as far as it could be. */
    void written(List<? extends WriteResult<?>> rows, CommitCounts commits) {
        if (listener == null) {
            return;
        }
        int written = 0;
        int unchanged = 0;
        int notWritten = 0;
        int unknown = 0;
        for (WriteResult<?> row : rows) {
            if (row.failure() instanceof OutcomeUnknownException) {
                unknown++;
            } else if (row.failure() != null) {
                notWritten++;
            } else if (Boolean.FALSE.equals(row.value())) {
                unchanged++;
            } else {
                written++;
            }
        }
        tell(
                listener,
                new WriteSummary(
                        writer,
                        written,
                        unchanged,
                        notWritten,
                        unknown,
                        commits.allAnswered(),
                        commits.allUnknown(),
                        commits.allRolledBack()));
    }

    /** Nothing of a batch was written. */
    void notWritten(int rows) {
        if (listener != null) {
            tell(listener, new WriteSummary(writer, 0, 0, rows, 0, 0, 0, 0));
        }
    }

    private void tell(WriteListener told, WriteSummary batch) {
        userCode.run(() -> told.batchWritten(batch));
    }
}
