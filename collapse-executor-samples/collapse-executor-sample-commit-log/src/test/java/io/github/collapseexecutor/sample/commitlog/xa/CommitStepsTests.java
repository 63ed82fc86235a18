package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.collapseexecutor.sample.commitlog.CommitLogOptions;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import io.github.collapseexecutor.sample.commitlog.LogStore;
import io.github.collapseexecutor.sample.commitlog.UncertainAppendException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps that are taken although one before them failed, whatever it failed with. */
class CommitStepsTests {

    @TempDir
    private Path directory;

    private final Table table = new Table();
    private RedoLog redo;
    private Binlog binlog;
    private CommitSteps steps;

    @BeforeEach
    void open() throws IOException {
        CommitLogOptions smallFiles = CommitLogOptions.builder().segmentSize(1).build();
        redo = new RedoLog(
                LogStore.open(directory.resolve("redo"), smallFiles, LogFiles.onDisk()), 0, 1, Duration.ofDays(1));
        binlog = new Binlog(LogStore.open(directory.resolve("binlog"), smallFiles, LogFiles.onDisk()), 1);
        steps = new CommitSteps(redo, binlog, table, new XaRules(), 0);
    }

    @AfterEach
    void close() throws IOException {
        binlog.close();
        redo.close();
    }

    private BinlogGroup written(String value) throws IOException {
        Prepared transaction = steps.prepare(Map.of("key", value));
        return steps.writeGroup(() -> {}, List.of(transaction));
    }

    @Test
    void aGroupIsNotCommittedBeforeOneThatStandsBeforeItInTheBinlog() throws Exception {
        BinlogGroup first = written("first");
        BinlogGroup second = written("second");
        assertThatExceptionOfType(UncertainAppendException.class)
                .isThrownBy(() -> steps.commit(second))
                .withMessage("The transaction is in the binlog, but one before it could not be committed: close the"
                        + " store and open it again");
        assertThat(table.read("key")).isNull();
        steps.commit(first);
        steps.commit(second);
        assertThat(table.read("key")).isEqualTo("second");
    }

    @Test
    void aBinlogFileDoesNotEndBehindATransactionThatIsNotCommitted() throws Exception {
        BinlogGroup group = written("first");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> steps.endFileIfFull(() -> {}))
                .withMessageStartingWith("The transaction is rolled back: the binlog needs another file")
                .withMessageEndingWith("Close the store and open it again");
        steps.commit(group);
        steps.endFileIfFull(() -> {});
        assertThat(written("second").firstLsn()).isEqualTo(2);
    }
}
