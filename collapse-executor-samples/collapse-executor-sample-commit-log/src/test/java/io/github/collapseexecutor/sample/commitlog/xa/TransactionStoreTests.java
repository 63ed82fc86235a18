package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store does when nothing fails, and what it refuses. */
class TransactionStoreTests {

    @TempDir
    private Path directory;

    private TransactionStore open(CommitWay way) throws IOException {
        return TransactionStore.open(
                directory,
                TransactionStoreOptions.builder()
                        .way(way)
                        .binlogFileSize(2_000)
                        .redoFileSize(3_000)
                        .build());
    }

    @ParameterizedTest
    @EnumSource
    void rowsAreReadBackAlsoWhenTheStoreIsOpenedAgain(CommitWay way) throws Exception {
        long first;
        try (TransactionStore store = open(way)) {
            assertThat(store.read("stock")).isNull();
            first = store.commit(Map.of("stock", "41", "order", "7 × näher"));
            assertThat(store.commit(Map.of("stock", "40"))).isGreaterThan(first);
            assertThat(store.rows()).isEqualTo(Map.of("stock", "40", "order", "7 × näher"));
        }
        try (TransactionStore store = open(way)) {
            assertThat(store.recovery()).isEqualTo(new RecoveryReport(List.of(), List.of(), List.of()));
            assertThat(store.read("stock")).isEqualTo("40");
            assertThat(store.read("order")).isEqualTo("7 × näher");
            assertThat(store.commit(Map.of("stock", "39"))).isGreaterThan(first + 1);
        }
        StoreContent.of(directory).assertAgree(way.label);
    }

    @ParameterizedTest
    @EnumSource
    void storeAndBinlogAgreeAfterConcurrentCommits(CommitWay way) throws Exception {
        int callers = 16;
        int transactions = 20;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        Map<String, String> rows;
        try (TransactionStore store = open(way)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int caller = i;
                all.add(threads.submit(() -> {
                    for (int number = 0; number < transactions; number++) {
                        store.commit(StoreContent.rows(caller, number));
                        assertThat(store.read(caller + "/a")).isEqualTo("" + number);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            rows = store.rows();
        } finally {
            threads.shutdown();
        }
        StoreContent content = StoreContent.of(directory);
        assertThat(content.rows()).isEqualTo(rows);
        assertThat(content.binlog()).hasSize(callers * transactions);
        content.assertAgree(way.label);
    }

    @ParameterizedTest
    @EnumSource
    void interruptedCallersDisturbNobodyAndStayInterrupted(CommitWay way) throws Exception {
        int callers = 8;
        int transactions = 50;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try (TransactionStore store = open(way)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int caller = i;
                all.add(threads.submit(() -> {
                    for (int number = 0; number < transactions; number++) {
                        boolean interrupts = (caller + number) % 3 == 0;
                        if (interrupts) {
                            Thread.currentThread().interrupt();
                        }
                        store.commit(StoreContent.rows(caller, number));
                        assertThat(Thread.interrupted()).isEqualTo(interrupts);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        StoreContent content = StoreContent.of(directory);
        assertThat(content.binlog()).hasSize(callers * transactions);
        content.assertAgree(way.label);
    }

    @ParameterizedTest
    @EnumSource
    void aClosedStoreTakesNoTransaction(CommitWay way) throws Exception {
        TransactionStore store = open(way);
        store.commit(Map.of("a", "1"));
        store.close();
        store.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> store.commit(Map.of("a", "2")))
                .withMessage("The store in " + directory + " is closed: open it again");
        assertThat(store.read("a")).isEqualTo("1");
    }

    @Test
    void aDirectoryBelongsToOneOpenStore() throws Exception {
        try (TransactionStore store = open(CommitWay.NATIVE)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> open(CommitWay.NATIVE))
                    .withMessageContaining("in use by process");
            store.commit(Map.of("a", "1"));
        }
    }

    @Test
    void badTransactionsAreRefused() throws Exception {
        try (TransactionStore store = open(CommitWay.GROUPED_REDO)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.commit(Map.of()))
                    .withMessage("The transaction has no row: commit at least one");
            int fits = (1 << 20) - 9 - 8 - 1;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.commit(Map.of("k", "x".repeat(fits + 1))))
                    .withMessage("The transaction has 1048577 bytes, but a record may have 1048576: split it");
            store.commit(Map.of("k", "x".repeat(fits)));
            assertThat(store.read("k")).hasSize(fits);
        }
    }

    @Test
    void badOptionsAreNamed() {
        TransactionStoreOptions.Builder builder = TransactionStoreOptions.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.flushLogAtCommit(3))
                .withMessageStartingWith("flushLogAtCommit is 3: it must be 0 (");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.flushLogAtCommit(-1))
                .withMessageStartingWith("flushLogAtCommit is -1: it must be 0 (");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.syncBinlog(-1))
                .withMessageStartingWith("syncBinlog is -1: it must be 0 (never) or");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.flushLogInterval(Duration.ZERO))
                .withMessage("flushLogInterval is PT0S: it must be from PT0.001S to PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.binlogFileSize(0))
                .withMessage("binlogFileSize is 0 bytes: it must be from 1 to 1073741824");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.redoFileSize(Integer.MAX_VALUE))
                .withMessage("redoFileSize is 2147483647 bytes: it must be from 1 to 1073741824");
    }

    @Test
    void aRecordThatIsNoneOfAStoreIsNamed() {
        for (byte[] record :
                new byte[][] {{}, {7, 0, 0, 0, 0, 0, 0, 0, 1}, {'R', 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9}}) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> StoreRecord.decoded(ByteBuffer.wrap(record)))
                    .withMessageContaining("which no store has written: name the directory of a store");
        }
    }
}
