package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.commitlog.CrashingFiles;
import io.github.collapseexecutor.sample.commitlog.Gate;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recovery by XA needs two rules. A store that stops at each of its steps on files, one after the other, shows that they
 * suffice; the same store with one of them broken shows that both are needed, and that these tests would notice.
 */
class XaRulesTests {

    /** The rules, and what breaks them. */
    enum Rules {
        KEPT {
            @Override
            XaRules rules() {
                return new XaRules();
            }
        },
        BINLOG_BEFORE_REDO {
            @Override
            XaRules rules() {
                return new XaRules() {
                    @Override
                    BinlogGroup writeGroup(Step redo, BinlogWrite binlog) throws IOException {
                        BinlogGroup written = binlog.run();
                        redo.run();
                        return written;
                    }
                };
            }
        },
        NO_WAIT_AT_ROTATION {
            @Override
            XaRules rules() {
                return new XaRules() {
                    @Override
                    void endFile(Step awaitOlder, Step syncRedo) {
                        // the next file begins at once
                    }
                };
            }
        };

        abstract XaRules rules();
    }

    private static final int SESSIONS = 2;
    private static final int TRANSACTIONS_EACH = 3;
    private static final boolean LONG = Integer.getInteger("store.kill.rounds", 1) > 1;

    @TempDir
    private Path folder;

    private static TransactionStoreOptions options(CommitWay way, int flushLogAtCommit) {
        return TransactionStoreOptions.builder()
                .way(way)
                .flushLogAtCommit(flushLogAtCommit)
                .flushLogInterval(Duration.ofDays(1))
                .binlogFileSize(100)
                .redoFileSize(400)
                .build();
    }

    /** Runs until the files stop; returns the number of the last transaction that was acknowledged. */
    private static int run(Path directory, TransactionStoreOptions options, LogFiles files, XaRules rules) {
        int acknowledged = -1;
        try {
            for (int session = 0; session < SESSIONS; session++) {
                try (TransactionStore store = TransactionStore.open(directory, options, files, rules)) {
                    for (int i = 0; i < TRANSACTIONS_EACH; i++) {
                        store.commit(StoreContent.rows(0, acknowledged + 1));
                        acknowledged++;
                    }
                }
            }
        } catch (IOException e) {
            assertThat(e).hasStackTraceContaining("crashed at step");
        }
        return acknowledged;
    }

    /**
     * Stops the store at every step, or every so many; returns what was found wrong at the first one at which anything was.
     *
     * @param from the first step
     * @param by how many steps to go on
     */
    private List<String> stoppedAtEveryStep(CommitWay way, int flushLogAtCommit, Rules rules, int from, int by)
            throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TransactionStoreOptions options = options(way, flushLogAtCommit);
        List<String> wrong = new ArrayList<>();
        List<String> losses = new ArrayList<>(List.of("nothing", "all that was not forced"));
        if (LONG) {
            losses.addAll(Collections.nCopies(5, "some of it, seed " + seed));
        }
        boolean crashed = true;
        for (int step = from; crashed && wrong.isEmpty(); step += by) {
            for (String loss : losses) {
                Path directory = Files.createTempDirectory(folder, "store");
                CrashingFiles files = new CrashingFiles(step);
                int acknowledged = run(directory, options, files, rules.rules());
                crashed = files.hasCrashed();
                if (!loss.equals("nothing")) {
                    files.losePower(directory, loss.startsWith("all") ? null : random);
                }
                String what = way.label + ", step " + step + ", lost: " + loss;
                boolean mayLose = flushLogAtCommit != 1 && !loss.equals("nothing");
                try {
                    check(what, directory, options, acknowledged, mayLose);
                } catch (AssertionError e) {
                    wrong.add(e.getMessage());
                }
            }
            assertThat(step).as("steps").isLessThan(1_000);
        }
        return wrong;
    }

    private static void check(
            String what, Path directory, TransactionStoreOptions options, int acknowledged, boolean mayLose)
            throws IOException {
        StoreContent content = StoreContent.of(directory, options, new CrashingFiles());
        if (mayLose) {
            content.assertAgreeBut(what, new HashSet<>(content.recovery().onlyInBinlog()));
            assertThat(content.binlog()).as(what).hasSizeBetween(acknowledged + 1, acknowledged + 2);
        } else {
            content.assertAgree(what);
            assertThat(content.last(0)).as(what).isBetween(acknowledged, acknowledged + 1);
        }
        int next = content.last(0) + 1;
        try (TransactionStore store = TransactionStore.open(directory, options, new CrashingFiles(), new XaRules())) {
            assertThat(content.xids()).as(what).doesNotContain(store.commit(StoreContent.rows(0, next)));
        }
        StoreContent again = StoreContent.of(directory, options, new CrashingFiles());
        assertThat(again.last(0)).as(what).isEqualTo(next);
        assertThat(again.binlog()).as(what).hasSize(content.binlog().size() + 1);
    }

    @ParameterizedTest
    @CsvSource({"SERIALIZED,1", "NATIVE,1", "GROUPED_REDO,1", "SERIALIZED,2", "NATIVE,2", "GROUPED_REDO,2"})
    void storeAndBinlogAgreeWhereverTheStoreStops(CommitWay way, int flushLogAtCommit) throws Exception {
        int by = LONG ? 1 : 3;
        int from = new Random().nextInt(by);
        assertThat(stoppedAtEveryStep(way, flushLogAtCommit, Rules.KEPT, from, by))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIALIZED", "GROUPED_REDO"})
    void binlogBeforeRedoIsNoticed(CommitWay way) throws Exception {
        assertThat(stoppedAtEveryStep(way, 1, Rules.BINLOG_BEFORE_REDO, 0, 1))
                .isNotEmpty()
                .anyMatch(message -> message.contains("only in the binlog"));
    }

    @ParameterizedTest
    @EnumSource
    void rotationThatDoesNotSyncTheRedoLogIsNoticed(CommitWay way) throws Exception {
        assertThat(stoppedAtEveryStep(way, 2, Rules.NO_WAIT_AT_ROTATION, 0, 1))
                .isNotEmpty()
                .anyMatch(message -> message.contains("table and binlog"));
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GROUPED_REDO"})
    void rotationWaitsForTransactionsBetweenPrepareAndCommit(CommitWay way) throws Exception {
        AtomicReference<TransactionStore> opened = new AtomicReference<>();
        AtomicReference<String> firstAfterWait = new AtomicReference<>();
        CompletableFuture<Thread> rotating = new CompletableFuture<>();
        XaRules rules = new XaRules() {
            @Override
            void endFile(Step awaitOlder, Step syncRedo) throws IOException {
                super.endFile(
                        () -> {
                            rotating.complete(Thread.currentThread());
                            awaitOlder.run();
                            firstAfterWait.compareAndSet(null, opened.get().read("1/a"));
                        },
                        syncRedo);
            }
        };
        HeldLogs files = new HeldLogs();
        Gate sync = new Gate();
        TransactionStoreOptions fileOfOne =
                TransactionStoreOptions.builder().way(way).binlogFileSize(30).build();
        try (TransactionStore store = TransactionStore.open(folder, fileOfOne, files, rules)) {
            opened.set(store);
            files.beforeBinlogForce = sync::pass;
            Committer first = Committer.of(store, 1);
            sync.awaitReached();
            Committer second = Committer.of(store, 2);
            Thread flushStage = rotating.get(1, TimeUnit.MINUTES);
            await().atMost(Duration.ofMinutes(1)).until(() -> flushStage.getState() == Thread.State.WAITING);
            sync.open();
            assertThat(second.xid()).isGreaterThan(first.xid());
        }
        assertThat(firstAfterWait)
                .as("the first transaction, before the next file begins")
                .hasValue("0");
        StoreContent.of(folder).assertAgree(way.label);
    }

    @Test
    void xidsThatWereLostFromTheRedoLogAreNotGivenOutAgain() throws Exception {
        Path directory = folder.resolve("store");
        TransactionStoreOptions options = TransactionStoreOptions.builder()
                .flushLogAtCommit(0)
                .flushLogInterval(Duration.ofDays(1))
                .build();
        CrashingFiles files = new CrashingFiles();
        TransactionStore store = TransactionStore.open(directory, options, files, new XaRules());
        List<Long> lost = List.of(store.commit(StoreContent.rows(0, 0)), store.commit(StoreContent.rows(0, 1)));
        Path killed = StoreCopy.of(directory, folder.resolve("killed"));
        store.close();
        try (TransactionStore again = TransactionStore.open(killed, options)) {
            assertThat(again.recovery().onlyInBinlog()).isEqualTo(lost);
            assertThat(lost).doesNotContain(again.commit(StoreContent.rows(0, 2)));
        }
        StoreContent.of(killed).assertAgreeBut("killed", new HashSet<>(lost));
    }

    /** The redo log has lost xids, which the last binlog file names. Then that file ends, and the store stops again. */
    @ParameterizedTest
    @EnumSource
    void xidsThatWereLostAreNotGivenOutAgainWhenTheStoreStopsInTheNextRotation(CommitWay way) throws Exception {
        Path directory = folder.resolve("store");
        TransactionStoreOptions options = TransactionStoreOptions.builder()
                .way(way)
                .flushLogAtCommit(0)
                .flushLogInterval(Duration.ofDays(1))
                .binlogFileSize(100)
                .build();
        Path killed = folder.resolve("killed");
        try (TransactionStore store = TransactionStore.open(directory, options, new CrashingFiles(), new XaRules())) {
            store.commit(StoreContent.rows(0, 0));
            store.commit(StoreContent.rows(0, 1));
            StoreCopy.of(directory, killed);
        }
        boolean crashed = true;
        for (int step = 0; crashed; step++) {
            String what = way.label + ", step " + step;
            Path again = StoreCopy.of(killed, folder.resolve("step " + step));
            CrashingFiles files = new CrashingFiles(step);
            files.takeAsDurable(again);
            try (TransactionStore store = TransactionStore.open(again, options, files, new XaRules())) {
                store.commit(StoreContent.rows(0, 2));
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("crashed at step");
            }
            crashed = files.hasCrashed();
            files.losePower(again, null);
            StoreContent content = StoreContent.of(again, options, new CrashingFiles());
            try (TransactionStore store = TransactionStore.open(again, options, new CrashingFiles(), new XaRules())) {
                assertThat(content.xids()).as(what).doesNotContain(store.commit(StoreContent.rows(0, 3)));
            }
        }
    }

    /** The store stops, and then stops again while it recovers, at every step of that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void recoveryThatStopsIsRepeated(int flushLogAtCommit) throws Exception {
        TransactionStoreOptions options = options(CommitWay.GROUPED_REDO, flushLogAtCommit);
        boolean crashed = true;
        for (int step = 0; crashed; step += LONG ? 1 : 7) {
            Path stopped = Files.createTempDirectory(folder, "stopped");
            CrashingFiles files = new CrashingFiles(step);
            int acknowledged = run(stopped, options, files, new XaRules());
            crashed = files.hasCrashed();
            boolean stopsAgain = true;
            for (int recoveryStep = 0; stopsAgain; recoveryStep++) {
                String what = "stopped at step " + step + ", recovery at step " + recoveryStep;
                Path directory = StoreCopy.of(stopped, folder.resolve(what));
                CrashingFiles recovering = new CrashingFiles(recoveryStep);
                recovering.takeAsDurable(directory);
                try {
                    TransactionStore.open(directory, options, recovering, new XaRules())
                            .close();
                } catch (IOException e) {
                    assertThat(e).as(what).hasStackTraceContaining("crashed at step");
                }
                stopsAgain = recovering.hasCrashed();
                recovering.losePower(directory, null);
                check(what, directory, options, acknowledged, false);
            }
        }
    }
}
