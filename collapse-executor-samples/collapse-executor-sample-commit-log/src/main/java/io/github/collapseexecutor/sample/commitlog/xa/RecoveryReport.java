package io.github.collapseexecutor.sample.commitlog.xa;

import java.util.List;

/**
 * What opening a store did with the transactions that a crash had left between the two logs; immutable.
 *
 * @param committed xids that were prepared and are named by the last binlog file, in its order: they are committed
 * @param rolledBack xids that were prepared and are not named by it: they are rolled back
 * @param onlyInBinlog xids that the last binlog file names and the redo log does not have: they are in the binlog and not in
 *     the store. With {@code flushLogAtCommit} 1 there are none
 */
public record RecoveryReport(List<Long> committed, List<Long> rolledBack, List<Long> onlyInBinlog) {

    /**
     * Copies the lists.
     *
     * @param committed as said above
     * @param rolledBack as said above
     * @param onlyInBinlog as said above
     */
    public RecoveryReport {
        committed = List.copyOf(committed);
        rolledBack = List.copyOf(rolledBack);
        onlyInBinlog = List.copyOf(onlyInBinlog);
    }
}
