package io.github.collapseexecutor.jdbc;

/** How the transactions of one batch ended. Confined to the thread that writes the batch. */
final class CommitCounts {

    // mutable, confined to the writing thread
    private int answered;
    private int unknown;
    private int rolledBack;

    void answered() {
        answered++;
    }

    void unknown() {
        unknown++;
    }

    void rolledBack() {
        rolledBack++;
    }

    WriteSummary with(String writer, int written, int unchanged, int failed, int unknownRows) {
        return new WriteSummary(writer, written, unchanged, failed, unknownRows, answered, unknown, rolledBack);
    }
}
