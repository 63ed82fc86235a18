package io.github.collapseexecutor.jdbc;

/**
 * What became of the rows of a batch, one for each caller that had not withdrawn, and of the transactions that they were written in. The
 * rows are counted as their callers are answered.
 *
 * @param writer {@link WriteOptions#name()}
 * @param written rows that are committed
 * @param unchanged merged updates whose condition did not hold, so that nothing was written
 * @param failed rows that are certainly not committed
 * @param unknown rows that may or may not be committed ({@link OutcomeUnknownException})
 * @param commits commits that the database has answered; a statement that commits by itself is one
 * @param commitsUnknown commits whose answer is not known
 * @param rollbacks transactions, and statements that commit by themselves, that certainly ended without a commit, because of a failure
 */
public record WriteSummary(
        String writer,
        int written,
        int unchanged,
        int failed,
        int unknown,
        int commits,
        int commitsUnknown,
        int rollbacks) {}
