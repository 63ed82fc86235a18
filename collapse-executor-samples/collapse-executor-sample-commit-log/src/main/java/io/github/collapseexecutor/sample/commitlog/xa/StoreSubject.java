package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.Load;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store under load: each transaction updates one row of 120 characters, as sysbench's {@code update_non_index} does. When it is
 * closed it is opened again and checked: every acknowledged transaction is in both logs, once, and the table is what the
 * binlog makes of it.
 */
final class StoreSubject implements Load.Subject {

    private static final int TABLES = 100;
    private static final int ROWS = 1_000;
    private static final int VALUE_SIZE = 120;

    // immutable
    private final Path directory;
    private final TransactionStoreOptions options;
    private final TransactionStore store;
    private final LongAdder acknowledged = new LongAdder();

    StoreSubject(Path directory, TransactionStoreOptions options, LogFiles files) throws IOException {
        this.directory = directory;
        this.options = options;
        this.store = TransactionStore.open(directory, options, files, new XaRules());
    }

    @Override
    public void append(int caller) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String key = "sbtest" + random.nextInt(TABLES) + "/" + random.nextInt(ROWS);
        String value = caller + " " + random.nextLong();
        store.commit(Map.of(key, value + " ".repeat(VALUE_SIZE - value.length())));
        acknowledged.increment();
    }

    @Override
    public void close() throws IOException {
        store.close();
        Map<String, String> replayed = new HashMap<>();
        LongAdder transactions = new LongAdder();
        try (TransactionStore again = TransactionStore.open(directory, options)) {
            again.scanBinlog((lsn, data) -> {
                replayed.putAll(StoreRecord.decoded(data).rows());
                transactions.increment();
            });
            check("transactions in the binlog", acknowledged.sum(), transactions.sum());
            check("recovery after closing", new RecoveryReport(List.of(), List.of(), List.of()), again.recovery());
            check("that the table is the binlog's", true, again.rows().equals(replayed));
        }
    }

    private void check(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException(
                    options.way().label + ": " + what + " should be " + expected + ", but is " + found);
        }
    }
}
