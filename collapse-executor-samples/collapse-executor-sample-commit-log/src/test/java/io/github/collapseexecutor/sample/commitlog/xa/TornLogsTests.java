package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.commitlog.CrashingFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A group of three transactions, behind a transaction of its own, of which a crash has left a part: either log is cut at
 * every byte.
 */
class TornLogsTests {

    private static final int TRANSACTIONS = 4;
    private static final TransactionStoreOptions OPTIONS = TransactionStoreOptions.defaults();

    @TempDir
    private Path folder;

    private Path whole;
    private long redoBeforeGroup;
    private long binlogBeforeGroup;

    private static Path file(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Commits one transaction and then three in a group, and copies the files that a kill of the process would leave. */
    @BeforeEach
    void commitTogether() throws Exception {
        Path directory = folder.resolve("store");
        whole = folder.resolve("whole");
        Path redo = TransactionStore.redo(directory);
        Path binlog = TransactionStore.binlog(directory);
        List<Long> redoSizes = new ArrayList<>();
        List<Long> binlogSizes = new ArrayList<>();
        HeldLogs files = new HeldLogs();
        try (TransactionStore store = TransactionStore.open(directory, OPTIONS, files, new XaRules())) {
            files.beforeRedoWrite = () -> redoSizes.add(Files.size(file(redo)));
            files.commitTogether(store, TRANSACTIONS, () -> binlogSizes.add(Files.size(file(binlog))));
            StoreCopy.of(directory, whole);
        }
        assertThat(redoSizes).as("writes of the redo log").hasSizeGreaterThanOrEqualTo(2);
        assertThat(binlogSizes).as("groups").hasSize(2);
        redoBeforeGroup = redoSizes.get(1);
        binlogBeforeGroup = binlogSizes.get(1);
    }

    private Path cut(long redoSize, long binlogSize) throws IOException {
        Path directory = StoreCopy.of(whole, folder.resolve("cut " + redoSize + " " + binlogSize));
        truncate(file(TransactionStore.redo(directory)), redoSize);
        truncate(file(TransactionStore.binlog(directory)), binlogSize);
        return directory;
    }

    private static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private long redoSize() throws IOException {
        return Files.size(file(TransactionStore.redo(whole)));
    }

    private long binlogSize() throws IOException {
        return Files.size(file(TransactionStore.binlog(whole)));
    }

    /** The store goes on: what is there stays, and a new transaction has an xid of its own. */
    private static void assertGoesOn(String what, Path directory, StoreContent content) throws IOException {
        try (TransactionStore store = TransactionStore.open(directory, OPTIONS, new CrashingFiles(), new XaRules())) {
            assertThat(store.rows()).as(what).isEqualTo(content.rows());
            assertThat(content.xids()).as(what).doesNotContain(store.commit(StoreContent.rows(9, 9)));
        }
        StoreContent again = StoreContent.of(directory, OPTIONS, new CrashingFiles());
        assertThat(again.last(9)).as(what).isEqualTo(9);
        assertThat(again.recovery().rolledBack()).as(what).isEmpty();
    }

    @Test
    void aTornGroupOfTheBinlogIsCommittedAsFarAsItIsWhole() throws Exception {
        List<Integer> left = new ArrayList<>();
        for (long size = binlogBeforeGroup; size <= binlogSize(); size++) {
            String what = "binlog cut at " + size;
            Path directory = cut(redoSize(), size);
            StoreContent content = StoreContent.of(directory, OPTIONS, new CrashingFiles());
            content.assertAgree(what);
            boolean isAnother = left.isEmpty()
                    || left.get(left.size() - 1) != content.binlog().size();
            left.add(content.binlog().size());
            assertThat(content.recovery().rolledBack())
                    .as(what)
                    .hasSize(TRANSACTIONS - content.binlog().size());
            assertThat(content.last(0)).as(what).isZero();
            if (isAnother) {
                assertGoesOn(what, directory, content);
            }
        }
        assertThat(left).isSorted();
        assertThat(new TreeSet<>(left)).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aTornGroupOfTheRedoLogIsRolledBackIfTheBinlogIsNotWritten() throws Exception {
        Set<Integer> rolledBack = new TreeSet<>();
        for (long size = redoBeforeGroup; size <= redoSize(); size++) {
            String what = "redo log cut at " + size;
            Path directory = cut(size, binlogBeforeGroup);
            StoreContent content = StoreContent.of(directory, OPTIONS, new CrashingFiles());
            content.assertAgree(what);
            assertThat(content.rows()).as(what).isEqualTo(StoreContent.rows(0, 0));
            if (rolledBack.add(content.recovery().rolledBack().size())) {
                assertGoesOn(what, directory, content);
            }
        }
        assertThat(rolledBack).containsExactly(0, 1, 2, 3);
    }

    @Test
    void transactionsWhosePrepareIsMissingAreReportedAndTheOthersCommitted() throws Exception {
        Set<Integer> lost = new TreeSet<>();
        for (long size = redoBeforeGroup; size <= redoSize(); size++) {
            String what = "redo log cut at " + size;
            Path directory = cut(size, binlogSize());
            StoreContent content = StoreContent.of(directory, OPTIONS, new CrashingFiles());
            assertThat(content.binlog()).as(what).hasSize(TRANSACTIONS);
            Set<Long> onlyInBinlog = new HashSet<>(content.recovery().onlyInBinlog());
            content.assertAgreeBut(what, onlyInBinlog);
            if (lost.add(onlyInBinlog.size())) {
                assertGoesOn(what, directory, content);
                assertThat(StoreContent.of(directory, OPTIONS, new CrashingFiles())
                                .recovery()
                                .onlyInBinlog())
                        .as(what + ", opened again")
                        .isEqualTo(content.recovery().onlyInBinlog());
            }
            assertThat(IntStream.range(0, TRANSACTIONS).filter(caller -> content.last(caller) == 0))
                    .as(what + ": transactions in the store")
                    .hasSize(TRANSACTIONS - onlyInBinlog.size());
        }
        assertThat(lost).containsExactly(0, 1, 2, 3);
    }
}
