package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.collapseexecutor.sample.commitlog.BenchmarkRun;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import io.github.collapseexecutor.sample.commitlog.LogStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark measures what it says and checks itself, and the pages say how to run it. */
class StoreBenchmarkTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @Test
    void everyWayIsMeasuredForAllSettingsDelaysAndNumbersOfThreads() throws Exception {
        String table = new StoreBenchmark(new BenchmarkRun(directory, 1, Duration.ofMillis(100)))
                .run(StoreBenchmark.SETTINGS, List.of(0, 1), List.of(4, 32));
        for (String settings : List.of("2/1000", "1/1")) {
            for (String row : List.of("+0 ms | 4", "+0 ms | 32", "+1 ms | 4", "+1 ms | 32")) {
                assertThat(table.lines().filter(line -> line.startsWith("| " + settings + " | " + row + " |")))
                        .as(row)
                        .hasSize(1 + CommitWay.values().length)
                        .noneMatch(line -> line.contains("NaN"));
            }
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aTransactionThatIsMissingInOneLogFailsTheMeasurement() throws Exception {
        TransactionStoreOptions options = TransactionStoreOptions.defaults();
        StoreSubject subject = new StoreSubject(directory, options, LogFiles.onDisk());
        subject.append(0);
        subject.close();
        try (LogStore binlog =
                LogStore.open(TransactionStore.binlog(directory), options.binlogFiles(), LogFiles.onDisk())) {
            binlog.append(List.of(StoreRecord.rows(1_000, Map.of("only", "in the binlog"))));
        }
        assertThatIllegalStateException()
                .isThrownBy(subject::close)
                .withMessageContaining("transactions in the binlog should be 1, but is 2");
    }

    @Test
    void argumentsThatAreNoneAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreBenchmark.main(new String[] {directory.toString(), "1", "1", "settings=3/1"}))
                .withMessage(
                        "argument is settings=3/1: it must be settings= and one of [2/1000, 1/1], or delay= and one of"
                                + " [0, 1, 5]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreBenchmark.main(new String[] {directory.toString(), "none"}))
                .withMessage("rounds is none: it must be a number from 1 to 9999999");
    }

    @Test
    void pagesNameTheCommandThatRunsIt() throws Exception {
        String command = "mvn -pl :collapse-executor-sample-commit-log -am -DskipTests -Pxa-benchmark package";
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<id>xa-benchmark</id>", StoreBenchmark.class.getName());
        assertThat(Files.readString(ROOT.resolve("docs/maintainers/samples.md")))
                .contains(command);
        assertThat(Files.readString(ROOT.resolve("docs/maintainers/redo-and-binlog-proofs.md")))
                .contains(command);
    }
}
