package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.commitlog.CrashingFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each setting may lose when the process is killed, and when the power fails: files are cut back to what was synced. */
class SettingsTests {

    private static final int TRANSACTIONS = 10;
    private static final int CALLERS = 8;

    /**
     * One caller commits ten transactions, then the store stops. The rest is said for the store and the binlog.
     *
     * @param powerFails whether what was not synced is lost, or the process is only killed
     */
    record Case(int flushLogAtCommit, int syncBinlog, boolean powerFails, int inStore, int inBinlog) {}

    private static final List<Case> CASES = List.of(
            new Case(1, 1, false, 10, 10),
            new Case(1, 0, false, 10, 10),
            new Case(2, 1, false, 10, 10),
            new Case(2, 1000, false, 10, 10),
            new Case(0, 1, false, 0, 10),
            new Case(0, 0, false, 0, 10),
            new Case(1, 1, true, 10, 10),
            new Case(1, 4, true, 9, 8), // the redo log marks the ninth as committed when it prepares the tenth
            new Case(1, 0, true, 9, 0),
            new Case(2, 1, true, 0, 10),
            new Case(2, 1000, true, 0, 0),
            new Case(0, 1, true, 0, 10));

    @TempDir
    private Path directory;

    static Stream<Arguments> casesOfEachWay() {
        return Stream.of(CommitWay.values()).flatMap(way -> CASES.stream().map(each -> Arguments.of(way, each)));
    }

    private static TransactionStoreOptions.Builder options(CommitWay way) {
        return TransactionStoreOptions.builder().way(way).flushLogInterval(Duration.ofDays(1));
    }

    @ParameterizedTest
    @MethodSource("casesOfEachWay")
    void eachSettingLosesWhatItSays(CommitWay way, Case settings) throws Exception {
        TransactionStoreOptions options = options(way)
                .flushLogAtCommit(settings.flushLogAtCommit())
                .syncBinlog(settings.syncBinlog())
                .build();
        CrashingFiles files = new CrashingFiles();
        TransactionStore store = TransactionStore.open(directory, options, files, new XaRules());
        for (int number = 0; number < TRANSACTIONS; number++) {
            store.commit(StoreContent.rows(0, number));
        }
        stop(store, files, settings.powerFails() ? new Lost(true, null) : new Lost(false, null));
        StoreContent content = StoreContent.of(directory);
        assertThat(content.last(0) + 1).as("in the store").isEqualTo(settings.inStore());
        assertThat(content.binlog()).as("in the binlog").hasSize(settings.inBinlog());
        assertThat(content.recovery().onlyInBinlog()).hasSize(Math.max(0, settings.inBinlog() - settings.inStore()));
    }

    /** What becomes of that which was not synced. */
    private record Lost(boolean powerFails, Random some) {}

    private void stop(TransactionStore store, CrashingFiles files, Lost lost) throws IOException {
        files.crash();
        try {
            store.close();
        } catch (IOException e) {
            assertThat(e).hasStackTraceContaining("crashed at step");
        }
        if (lost.powerFails()) {
            files.losePower(directory, lost.some());
        }
    }

    @ParameterizedTest
    @EnumSource
    void redoRecordsAreDurableAfterTheInterval(CommitWay way) throws Exception {
        CrashingFiles files = new CrashingFiles();
        TransactionStore store = TransactionStore.open(
                directory,
                options(way)
                        .flushLogAtCommit(0)
                        .flushLogInterval(Duration.ofMillis(1))
                        .build(),
                files,
                new XaRules());
        store.commit(StoreContent.rows(0, 0));
        Path redo = TransactionStore.redo(directory);
        await().atMost(Duration.ofMinutes(1)).until(() -> written(redo) > 20);
        store.close();
        files.losePower(directory, null);
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.last(0)).isZero();
    }

    private static long written(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    static Stream<Arguments> settingsOfEachWay() {
        return Stream.of(CommitWay.values())
                .flatMap(way -> Stream.of(0, 1, 2)
                        .flatMap(flush -> Stream.of(0, 1, 3).map(sync -> Arguments.of(way, flush, sync))));
    }

    /** Many callers commit until the power fails at random. */
    @ParameterizedTest
    @MethodSource("settingsOfEachWay")
    void powerThatFailsUnderLoadLosesNoMore(CommitWay way, int flushLogAtCommit, int syncBinlog) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String what = way.label + " " + flushLogAtCommit + "/" + syncBinlog + ", seed " + seed;
        TransactionStoreOptions options = options(way)
                .flushLogAtCommit(flushLogAtCommit)
                .syncBinlog(syncBinlog)
                .binlogFileSize(4_000)
                .redoFileSize(8_000)
                .build();
        CrashingFiles files = new CrashingFiles();
        AtomicIntegerArray acknowledged = acknowledgedUntilCrash(options, files, 100 + random.nextInt(300));
        files.losePower(directory, null);
        StoreContent content = StoreContent.of(directory);
        if (syncBinlog == 1) {
            Set<Long> lost = new HashSet<>(content.recovery().onlyInBinlog());
            content.assertAgreeBut(what, lost);
            if (flushLogAtCommit == 1) {
                assertThat(lost).as(what).isEmpty();
            }
            for (int caller = 0; caller < CALLERS; caller++) {
                String own = caller + "/a";
                long inBinlog = content.binlog().stream()
                        .filter(each -> each.rows().containsKey(own))
                        .count();
                assertThat(inBinlog).as(what + ", caller " + caller).isGreaterThanOrEqualTo(acknowledged.get(caller));
            }
        }
        if (flushLogAtCommit == 1) {
            assertThat(content.recovery().onlyInBinlog()).as(what).isEmpty();
            for (StoreRecord each : content.binlog()) {
                each.rows().forEach((key, value) -> assertStoreHas(what, content, key, value));
            }
        }
        if (syncBinlog > 1) {
            int all = IntStream.range(0, CALLERS).map(acknowledged::get).sum();
            assertThat(content.binlog())
                    .as(what + ": of " + all + " acknowledged, those of the last groups are lost")
                    .hasSizeGreaterThanOrEqualTo(all - (syncBinlog - 1) * CALLERS);
        }
        // With all settings, a store that has lost transactions goes on, and gives out no xid again.
        try (TransactionStore store = TransactionStore.open(directory, options)) {
            assertThat(content.xids()).as(what).doesNotContain(store.commit(StoreContent.rows(0, 1_000_000)));
        }
        assertThat(StoreContent.of(directory).last(0)).as(what).isEqualTo(1_000_000);
    }

    /** A caller's own rows only grow; the store may be ahead of the binlog, but never behind it. */
    private static void assertStoreHas(String what, StoreContent content, String key, String value) {
        if (!key.equals("hot")) {
            assertThat(Integer.parseInt(content.rows().getOrDefault(key, "-1")))
                    .as(what + ": " + key)
                    .isGreaterThanOrEqualTo(Integer.parseInt(value));
        }
    }

    private AtomicIntegerArray acknowledgedUntilCrash(TransactionStoreOptions options, CrashingFiles files, int count)
            throws Exception {
        AtomicIntegerArray acknowledged = new AtomicIntegerArray(CALLERS);
        AtomicInteger all = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        TransactionStore store = TransactionStore.open(directory, options, files, new XaRules());
        try {
            List<? extends Future<?>> callers = IntStream.range(0, CALLERS)
                    .mapToObj(caller -> threads.submit(() -> {
                        try {
                            for (int number = 0; ; number++) {
                                store.commit(StoreContent.rows(caller, number));
                                acknowledged.incrementAndGet(caller);
                                if (all.incrementAndGet() == count) {
                                    files.crash();
                                }
                            }
                        } catch (IOException e) {
                            // of the crash, or of another caller's transaction that it left uncommitted
                            if (all.get() < count) {
                                throw e;
                            }
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> each : callers) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        stop(store, files, new Lost(false, null));
        return acknowledged;
    }

    @Test
    void syncBinlogCountsGroupsAndNotTransactions() throws Exception {
        HeldLogs files = new HeldLogs();
        TransactionStoreOptions options =
                options(CommitWay.GROUPED_REDO).syncBinlog(3).build();
        try (TransactionStore store = TransactionStore.open(directory, options, files, new XaRules())) {
            files.commitTogether(store, 10);
            assertThat(files.binlogSyncs()).as("after groups of 1 and 9").isZero();
            store.commit(StoreContent.rows(0, 0));
            assertThat(files.binlogSyncs()).as("after three groups").isEqualTo(1);
        }
    }
}
