package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.commitlog.Gate;
import io.github.collapseexecutor.sample.commitlog.UncertainAppendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the ways differ in, and what becomes of a transaction when a log fails. */
class CommitWayTests {

    @TempDir
    private Path directory;

    private final HeldLogs files = new HeldLogs();

    private TransactionStore open(CommitWay way) throws IOException {
        return TransactionStore.open(
                directory, TransactionStoreOptions.builder().way(way).build(), files, new XaRules());
    }

    @Test
    void groupedRedoIsSyncedOncePerGroupUpToItsLargestLsn() throws Exception {
        try (TransactionStore store = open(CommitWay.GROUPED_REDO)) {
            files.commitTogether(store, 20);
            assertThat(files.redoSyncs()).as("for groups of 1 and 19").isEqualTo(2);
            assertThat(files.binlogSyncs()).isEqualTo(2);
        }
        StoreContent.of(directory).assertAgree("grouped redo");
    }

    /** The first transaction of the second group has been synced with the first group already, the second one has not. */
    @Test
    void groupedRedoIsSyncedUpToTheLargestLsnAndNotThatOfTheFirstTransaction() throws Exception {
        Gate redo = new Gate();
        Gate binlog = new Gate();
        XaRules held = new XaRules() {
            @Override
            BinlogGroup writeGroup(Step redoStep, BinlogWrite binlogWrite) throws IOException {
                redo.pass();
                redoStep.run();
                binlog.pass();
                return binlogWrite.run();
            }
        };
        Path killed = directory.resolve("killed");
        Path open = directory.resolve("open");
        try (TransactionStore store = TransactionStore.open(open, TransactionStoreOptions.defaults(), files, held)) {
            Committer alone = Committer.of(store, 0);
            redo.awaitReached();
            Committer first = Committer.of(store, 1).awaitWaiting();
            redo.open();
            binlog.awaitReached();
            Committer second = Committer.of(store, 2).awaitWaiting();
            binlog.open();
            assertThat(List.of(alone.xid(), first.xid(), second.xid())).isSorted();
            StoreCopy.of(open, killed);
        }
        StoreContent content = StoreContent.of(killed);
        content.assertAgree("grouped redo");
        assertThat(content.last(2)).isZero();
    }

    @Test
    void nativeTransactionsSyncTheirOwnPrepareBeforeTheyEnterTheFlushStage() throws Exception {
        Gate gate = new Gate();
        files.beforeBinlogWrite = () -> {};
        try (TransactionStore store = open(CommitWay.NATIVE)) {
            files.beforeBinlogWrite = gate::pass;
            files.reset();
            Committer first = Committer.of(store, 0);
            gate.awaitReached();
            assertThat(files.redoSyncs()).isEqualTo(1);
            for (int caller = 1; caller < 5; caller++) {
                Committer.of(store, caller);
                int prepared = caller + 1;
                await().atMost(Duration.ofMinutes(1)).until(() -> files.redoSyncs() == prepared);
            }
            assertThat(first.isDone()).isFalse();
            gate.open();
            first.xid();
        }
        StoreContent content = StoreContent.of(directory);
        content.assertAgree("native");
        assertThat(content.binlog()).hasSize(5);
    }

    @Test
    void serializedTransactionsHaveASyncOfEachLogForThemselves() throws Exception {
        try (TransactionStore store = open(CommitWay.SERIALIZED)) {
            files.commitTogether(store, 5);
            assertThat(files.redoSyncs()).isEqualTo(5);
            assertThat(files.binlogSyncs()).isEqualTo(5);
        }
        StoreContent.of(directory).assertAgree("serialized");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedCallerGetsItsOutcomeAndStaysInterrupted(CommitWay way) throws Exception {
        Gate gate = new Gate();
        try (TransactionStore store = open(way)) {
            files.beforeBinlogForce = gate::pass;
            Committer first = Committer.of(store, 1);
            gate.awaitReached();
            Committer second = Committer.of(store, 2).awaitWaiting().interrupt();
            gate.open();
            assertThat(first.xid()).isPositive();
            assertThat(second.xid()).isPositive();
        }
        StoreContent.of(directory).assertAgree(way.label);
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionThatTheRedoLogCannotTakeIsRolledBackAndTheStoreGoesOn(CommitWay way) throws Exception {
        try (TransactionStore store = open(way)) {
            files.beforeRedoWrite = () -> {
                throw new IOException("No space left on device");
            };
            assertThat(Committer.of(store, 1).failure())
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageStartingWith("The transaction is rolled back: the redo log could not be written")
                    .hasMessageContaining("No space left on device");
            files.beforeRedoWrite = () -> {};
            assertThat(store.read("1/a")).isNull();
            store.commit(StoreContent.rows(2, 0));
        }
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.recovery().rolledBack()).hasSize(1);
        assertThat(content.rows().keySet()).containsExactlyInAnyOrder("2/a", "2/b", "hot");
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionThatTheBinlogCannotTakeIsRolledBackAndTheStoreGoesOn(CommitWay way) throws Exception {
        try (TransactionStore store = open(way)) {
            files.beforeBinlogWrite = () -> {
                throw new IOException("No space left on device");
            };
            assertThat(Committer.of(store, 1).failure())
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("They are not in the log");
            files.beforeBinlogWrite = () -> {};
            store.commit(StoreContent.rows(2, 0));
        }
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.recovery().rolledBack()).hasSize(1);
        assertThat(content.rows().keySet()).containsExactlyInAnyOrder("2/a", "2/b", "hot");
    }

    @ParameterizedTest
    @EnumSource
    void aRedoLogThatCannotBeSyncedStopsTheStore(CommitWay way) throws Exception {
        TransactionStore store = open(way);
        store.commit(StoreContent.rows(0, 0));
        files.beforeRedoForce = () -> {
            throw new IOException("lost");
        };
        assertThat(Committer.of(store, 1).failure())
                .isExactlyInstanceOf(IOException.class)
                .hasMessageStartingWith("The transaction is rolled back: the redo log could not be synced");
        files.beforeRedoForce = () -> {};
        assertThat(Committer.of(store, 2).failure())
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("takes no records since a failure");
        assertThat(store.rows()).isEqualTo(StoreContent.rows(0, 0));
        closeAfterFailure(store);
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.rows()).isEqualTo(StoreContent.rows(0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void aBinlogThatCannotBeSyncedLeavesTheTransactionToRecovery(CommitWay way) throws Exception {
        TransactionStore store = open(way);
        store.commit(StoreContent.rows(0, 0));
        files.beforeBinlogForce = () -> {
            throw new IOException("lost");
        };
        assertThat(Committer.of(store, 1).failure()).isExactlyInstanceOf(UncertainAppendException.class);
        files.beforeBinlogForce = () -> {};
        assertThat(Committer.of(store, 2).failure()).hasMessageContaining("takes no records since a failure");
        assertThat(store.rows()).as("no reader sees what may be rolled back").isEqualTo(StoreContent.rows(0, 0));
        closeAfterFailure(store);
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.recovery().committed())
                .as("because the binlog has it")
                .hasSize(1);
        assertThat(content.recovery().rolledBack()).hasSize(1);
        assertThat(content.last(1)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GROUPED_REDO"})
    void noGroupIsCommittedBehindOneThatCouldNotBeSynced(CommitWay way) throws Exception {
        TransactionStoreOptions everySecondGroup =
                TransactionStoreOptions.builder().way(way).syncBinlog(2).build();
        TransactionStore store = TransactionStore.open(directory, everySecondGroup, files, new XaRules());
        store.commit(StoreContent.rows(0, 0));
        Gate gate = new Gate();
        files.beforeBinlogForce = () -> {
            gate.pass();
            throw new IOException("lost");
        };
        Committer first = Committer.of(store, 1);
        gate.awaitReached();
        Path binlog = TransactionStore.binlog(directory).resolve("00000000000000000001.log");
        long size = Files.size(binlog);
        Committer second = Committer.of(store, 2);
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.size(binlog) > size);
        gate.open();
        assertThat(first.failure()).isExactlyInstanceOf(UncertainAppendException.class);
        assertThat(second.failure())
                .as("its group needs no sync")
                .isExactlyInstanceOf(UncertainAppendException.class)
                .hasMessageContaining("one before it could not be committed");
        assertThat(store.rows()).isEqualTo(StoreContent.rows(0, 0));
        files.beforeBinlogForce = () -> {};
        closeAfterFailure(store);
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.recovery().committed()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(content.rows()).as("the last one in the binlog wins").containsEntry("hot", "2 0");
    }

    @ParameterizedTest
    @EnumSource
    void aRedoLogThatTakesNothingRefusesTransactionsBeforeItsBufferOutgrowsItsSize(CommitWay way) throws Exception {
        try (TransactionStore store = open(way)) {
            files.beforeRedoWrite = () -> {
                throw new IOException("No space left on device");
            };
            String large = "x".repeat(1_000_000);
            for (int i = 0; i < 20; i++) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> store.commit(Map.of("large", large)))
                        .withMessageContaining("No space left on device");
            }
            files.beforeRedoWrite = () -> {};
            store.commit(StoreContent.rows(0, 0));
        }
        StoreContent content = StoreContent.of(directory);
        content.assertAgree(way.label);
        assertThat(content.rows()).isEqualTo(StoreContent.rows(0, 0));
        assertThat(content.recovery().rolledBack())
                .as("what a buffer of 8 MiB holds")
                .hasSizeBetween(1, 9);
    }

    @ParameterizedTest
    @EnumSource
    void aRedoLogThatCannotBeSyncedAfterTheIntervalStopsTheStoreToo(CommitWay way) throws Exception {
        TransactionStore store = TransactionStore.open(
                directory,
                TransactionStoreOptions.builder()
                        .way(way)
                        .flushLogAtCommit(0)
                        .flushLogInterval(Duration.ofMillis(1))
                        .build(),
                files,
                new XaRules());
        files.beforeRedoForce = () -> {
            throw new IOException("lost");
        };
        AtomicInteger acknowledged = new AtomicInteger();
        AtomicReference<IOException> failure = new AtomicReference<>();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            try {
                store.commit(StoreContent.rows(0, acknowledged.get()));
                acknowledged.incrementAndGet();
            } catch (IOException e) {
                failure.set(e);
            }
            return failure.get() != null;
        });
        assertThat(failure.get())
                .hasMessageStartingWith("The transaction is rolled back: the redo log could not be")
                .hasStackTraceContaining("lost");
        closeAfterFailure(store);
        assertThat(StoreContent.of(directory).binlog()).hasSize(acknowledged.get());
    }

    private static void closeAfterFailure(TransactionStore store) {
        try {
            store.close();
        } catch (IOException e) {
            assertThat(e).hasStackTraceContaining("lost");
        }
    }
}
