package io.github.collapseexecutor.core;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a batch notes about itself for a listener; a batch of an executor without a listener has none. */
final class BatchRecord {

    // immutable
    /** Tells the batch from the executor's others. */
    final long id;

    // mutable, confined to the thread that opens the batch, then to the one that runs it
    private Thread startedBy = Thread.currentThread();
    private @Nullable Throwable failure;
    private List<CallSummary> calls = Collections.emptyList();

    BatchRecord(long id) {
        this.id = id;
    }

    /** The calling thread is about to execute the batch. */
    void runHere() {
        startedBy = Thread.currentThread();
    }

    Thread startedBy() {
        return startedBy;
    }

    void failed(Throwable cause) {
        failure = cause;
    }

    @Nullable Throwable failure() {
        return failure;
    }

    void summarize(List<CallSummary> summaries) {
        calls = summaries;
    }

    /** The roles and waits of its callers; empty before its end. */
    List<CallSummary> calls() {
        return calls;
    }
}
