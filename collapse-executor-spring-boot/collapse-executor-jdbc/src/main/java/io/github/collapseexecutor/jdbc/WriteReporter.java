package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.connection.CommitCounts;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Tells the {@link WriteListener} of a writer what became of a batch, if there is one. */
final class WriteReporter {

    // immutable
    private final String writer;
    private final @Nullable WriteListener listener;

    // mutable, by itself
    private final AtomicBoolean failed = new AtomicBoolean();

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

    /** As the core does with what a listener throws: the first exception is seen, further ones would fill the log. */
    private void tell(WriteListener told, WriteSummary batch) {
        try {
            told.batchWritten(batch);
        } catch (Throwable thrown) { // also checked exceptions, which languages other than Java do not declare
            if (thrown instanceof Error || failed.compareAndSet(false, true)) {
                show(thrown);
            }
        }
    }

    private static void show(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // As the JVM does with what such a handler throws. No other place is left to report to.
        }
    }
}
