package io.github.collapseexecutor.sample.commitlog.xa;

import java.util.List;

/**
 * Transactions that were written to the binlog together.
 *
 * @param transactions in the order of the binlog
 * @param lastLsn of the last one there
 */
record BinlogGroup(List<Prepared> transactions, long lastLsn) {

    /** The LSN of the first transaction. */
    long firstLsn() {
        return lastLsn - transactions.size() + 1;
    }

    /** Joins groups that come one after another. */
    static BinlogGroup joined(List<BinlogGroup> groups) {
        BinlogGroup last = groups.get(groups.size() - 1);
        if (groups.size() == 1) {
            return last;
        }
        return new BinlogGroup(
                groups.stream().flatMap(group -> group.transactions.stream()).toList(), last.lastLsn);
    }
}
