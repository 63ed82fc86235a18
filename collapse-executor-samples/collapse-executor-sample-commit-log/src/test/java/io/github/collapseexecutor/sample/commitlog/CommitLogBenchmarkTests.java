package io.github.collapseexecutor.sample.commitlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark measures what it says, and the pages say how to run it. */
class CommitLogBenchmarkTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @Test
    void everyWayIsMeasuredForEveryNumberOfThreadsAndDelay() throws Exception {
        String table = new CommitLogBenchmark(new BenchmarkRun(directory, 1, Duration.ofMillis(200)))
                .run(List.of(Duration.ZERO, Duration.ofMillis(2)), List.of(2, 8));
        for (String row : List.of("+0 ms | 2", "+0 ms | 8", "+2 ms | 2", "+2 ms | 8")) {
            assertThat(table.lines().filter(line -> line.startsWith("| " + row + " |")))
                    .as(row)
                    .hasSize(1 + Way.values().length)
                    .noneMatch(line -> line.contains("NaN"));
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void delayMakesEachSyncThatMuchLonger() throws Exception {
        Load load = new Load(1, Duration.ofMillis(20), Duration.ZERO, Duration.ofMillis(300));
        Load.Figures figures = load.measure(Way.SYNC_PER_APPEND, directory);
        assertThat(figures.syncs()).isBetween(0.1, 51.0);
        assertThat(figures.p99Nanos()).isGreaterThanOrEqualTo(20e6);
    }

    @Test
    void groupsShareSyncsAndLoneAppendsDoNot() throws Exception {
        Load load = new Load(16, Duration.ofMillis(5), Duration.ofMillis(100), Duration.ofMillis(500));
        Load.Figures alone = load.measure(Way.SYNC_PER_APPEND, directory);
        assertThat(alone.appends() / alone.syncs()).isBetween(0.5, 2.0);
        for (Way way : List.of(Way.ONE_STAGE, Way.THREE_STAGES)) {
            Load.Figures grouped = load.measure(way, directory);
            assertThat(grouped.appends() / grouped.syncs()).as(way.label).isGreaterThan(3);
        }
    }

    @Test
    void argumentsThatAreNoneAreNamed() {
        Path absent = directory.resolve("absent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommitLogBenchmark.main(new String[] {absent.toString()}))
                .withMessage("directory is " + absent + ": it must be one that is there and can be written to");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommitLogBenchmark.main(new String[] {directory.toString(), "many"}))
                .withMessage("rounds is many: it must be a number from 1 to 9999999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommitLogBenchmark.main(new String[] {directory.toString(), "1", "0"}))
                .withMessage("seconds is 0: it must be a number from 1 to 9999999");
    }

    @Test
    void pagesNameTheCommandThatRunsIt() throws Exception {
        String command = "mvn -pl :collapse-executor-sample-commit-log -am -DskipTests -Pcommit-log-benchmark package";
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<id>commit-log-benchmark</id>", CommitLogBenchmark.class.getName());
        assertThat(Files.readString(ROOT.resolve("docs/maintainers/samples.md")))
                .contains(command);
        assertThat(Files.readString(ROOT.resolve("docs/maintainers/commit-log-proofs.md")))
                .contains(command);
    }
}
