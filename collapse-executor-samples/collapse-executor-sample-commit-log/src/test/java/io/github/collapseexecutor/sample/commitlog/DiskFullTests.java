package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.commitlog.AppendingProcess.Acknowledged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk, or a file, that may not grow any more: appends say so, nothing acknowledged is lost, and room lets them go on. */
class DiskFullTests {

    private static final int THREADS = 16;

    @TempDir
    private Path directory;

    @Test
    void aDiskThatIsFullFailsAppendsUntilThereIsRoom() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        try (SmallDisk disk = SmallDisk.at(directory.resolve("disk"))) {
            Path folder = directory.resolve("disk").resolve("log");
            CommitLogOptions options =
                    CommitLogOptions.builder().segmentSize(1 << 20).build();
            try (CommitLog log = CommitLog.open(folder, options, disk.files(), null)) {
                List<Callable<List<String>>> tasks = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    String name = "thread " + thread;
                    tasks.add(() -> appendUntilFull(log, name));
                }
                for (Future<List<String>> each : callers.invokeAll(tasks)) {
                    acknowledged.addAll(each.get());
                }
                disk.free();
                acknowledged.add(log.append("there is room".getBytes(UTF_8)) + " there is room");
            }
            assertThat(acknowledged).hasSizeGreaterThan(100);
            try (CommitLog log = CommitLog.open(folder, options)) {
                List<String> found = new ArrayList<>();
                for (long lsn = 1; lsn <= log.lastLsn(); lsn++) {
                    found.add(lsn + " " + new String(log.read(lsn), UTF_8));
                }
                assertThat(found).containsExactlyInAnyOrderElementsOf(acknowledged);
            }
        } finally {
            callers.shutdown();
        }
    }

    private static List<String> appendUntilFull(CommitLog log, String name) throws InterruptedException {
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; ; i++) {
            String record = name + " record " + i + ".".repeat(i % 100);
            try {
                acknowledged.add(log.append(record.getBytes(UTF_8)) + " " + record);
            } catch (IOException e) {
                assertThat(e)
                        .isExactlyInstanceOf(IOException.class)
                        .hasMessageContaining("No space left on device")
                        .hasMessageContaining("They are not in the log");
                return acknowledged;
            }
        }
    }

    @Test
    void aProcessThatMayNotWriteLargerFilesLosesNothing() throws Exception {
        List<String> limited = List.of("bash", "-c", "ulimit -f 64; exec \"$@\"", "bash"); // KiB, less than a segment
        List<Acknowledged> acknowledged;
        try (ChildProcess<Acknowledged> process = AppendingProcess.start(limited, directory, THREADS, 1)) {
            acknowledged = process.awaitEnd();
            assertThat(process.failures().lines())
                    .hasSize(THREADS)
                    .allMatch(line -> line.contains("File too large") && line.contains("not in the log"));
        }
        assertThat(acknowledged).hasSizeGreaterThan(50);
        assertThat(Files.size(Segment.path(directory, 1))).isLessThanOrEqualTo(64 << 10);
        try (CommitLog log = CommitLog.open(directory, CommitLogOptions.defaults())) {
            KillTests.check("limited", log, acknowledged);
            assertThat(log.lastLsn()).as("as many as were acknowledged").isEqualTo(acknowledged.size());
        }
    }
}
