package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a store holds when it has been opened again.
 *
 * @param binlog all its transactions, in order
 */
record StoreContent(Map<String, String> rows, List<StoreRecord> binlog, RecoveryReport recovery) {

    static StoreContent of(Path directory) throws IOException {
        return of(directory, TransactionStoreOptions.defaults(), LogFiles.onDisk());
    }

    static StoreContent of(Path directory, TransactionStoreOptions options, LogFiles files) throws IOException {
        try (TransactionStore store = TransactionStore.open(directory, options, files, new XaRules())) {
            List<StoreRecord> binlog = new ArrayList<>();
            store.scanBinlog((lsn, data) -> binlog.add(StoreRecord.decoded(data)));
            return new StoreContent(store.rows(), binlog, store.recovery());
        }
    }

    /** What the binlog makes of an empty table, without some of its transactions. */
    Map<String, String> replayedWithout(Set<Long> xids) {
        Map<String, String> replayed = new HashMap<>();
        binlog.stream().filter(each -> !xids.contains(each.xid())).forEach(each -> replayed.putAll(each.rows()));
        return replayed;
    }

    List<Long> xids() {
        return binlog.stream().map(StoreRecord::xid).toList();
    }

    /** Asserts that each transaction is in the binlog once, and that the table is what the binlog makes of it. */
    void assertAgree(String what) {
        assertThat(recovery.onlyInBinlog()).as(what + ": only in the binlog").isEmpty();
        assertAgreeBut(what, Set.of());
    }

    /** The same, but for transactions that the store has lost. */
    void assertAgreeBut(String what, Set<Long> lost) {
        assertThat(new HashSet<>(xids())).as(what + ": xids, each once").hasSameSizeAs(binlog);
        assertThat(rows).as(what + ": table and binlog").isEqualTo(replayedWithout(lost));
        rows.forEach((key, value) -> {
            if (key.endsWith("/a")) {
                assertThat(rows)
                        .as(what + ": no half transaction")
                        .containsEntry(key.substring(0, key.length() - 1) + "b", value);
            }
        });
    }

    /** The rows that a caller writes in one transaction: two of its own, and one that all write. */
    static Map<String, String> rows(int caller, int number) {
        return Map.of(caller + "/a", "" + number, caller + "/b", "" + number, "hot", caller + " " + number);
    }

    /** The number of the last transaction of a caller, or -1 if there is none. */
    int last(int caller) {
        return Integer.parseInt(rows.getOrDefault(caller + "/a", "-1"));
    }
}
