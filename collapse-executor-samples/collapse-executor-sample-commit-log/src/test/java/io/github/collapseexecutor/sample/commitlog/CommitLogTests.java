package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a log does when nothing fails, and what it refuses. */
class CommitLogTests {

    private static final CommitLogOptions SMALL_SEGMENTS =
            CommitLogOptions.builder().segmentSize(200).build();

    @TempDir
    private Path directory;

    private CommitLog open() throws IOException {
        return CommitLog.open(directory, CommitLogOptions.defaults());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void recordsAreReadBackByTheirLsns() throws Exception {
        try (CommitLog log = open()) {
            assertThat(log.lastLsn()).isZero();
            assertThat(log.append(bytes("one"))).isEqualTo(1);
            assertThat(log.append(bytes(""))).isEqualTo(2);
            assertThat(log.append(bytes("three"))).isEqualTo(3);
            assertThat(log.lastLsn()).isEqualTo(3);
            assertThat(log.read(1)).isEqualTo(bytes("one"));
            assertThat(log.read(2)).isEmpty();
            assertThat(log.read(3)).isEqualTo(bytes("three"));
        }
    }

    @Test
    void aLogThatIsOpenedAgainGoesOnWhereItEnded() throws Exception {
        for (int i = 1; i <= 5; i++) {
            try (CommitLog log = open()) {
                assertThat(log.lastLsn()).isEqualTo(i - 1);
                assertThat(log.append(bytes("record " + i))).isEqualTo(i);
                for (int lsn = 1; lsn <= i; lsn++) {
                    assertThat(log.read(lsn)).isEqualTo(bytes("record " + lsn));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 21})
    void aSegmentAsSmallAsItsHeaderTakesOneGroup(int segmentSize) throws Exception {
        CommitLogOptions tiny =
                CommitLogOptions.builder().segmentSize(segmentSize).build();
        for (long lsn = 1; lsn <= 4; lsn += 2) {
            try (CommitLog log = CommitLog.open(directory, tiny)) {
                assertThat(log.append(new byte[] {1})).isEqualTo(lsn);
                assertThat(log.append(new byte[] {2})).isEqualTo(lsn + 1);
            }
        }
        assertThat(Segment.firstLsns(directory)).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void aSegmentThatIsFullIsFollowedByAnother() throws Exception {
        try (CommitLog log = CommitLog.open(directory, SMALL_SEGMENTS)) {
            for (int i = 1; i <= 100; i++) {
                assertThat(log.append(bytes("record " + i))).isEqualTo(i);
            }
            assertThat(log.read(1)).isEqualTo(bytes("record 1"));
        }
        assertThat(Segment.firstLsns(directory))
                .hasSizeGreaterThan(10)
                .startsWith(1L)
                .isSorted();
        try (CommitLog log = CommitLog.open(directory, SMALL_SEGMENTS)) {
            assertThat(log.lastLsn()).isEqualTo(100);
            for (int lsn = 100; lsn >= 1; lsn--) {
                assertThat(log.read(lsn)).isEqualTo(bytes("record " + lsn));
            }
            assertThat(log.append(bytes("record 101"))).isEqualTo(101);
        }
    }

    @Test
    void recordsLargerThanTheBufferAreWrittenInParts() throws Exception {
        byte[] large = new byte[1 << 20];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) ((i * 31) >> 3);
        }
        try (CommitLog log = open()) {
            assertThat(log.append(large)).isEqualTo(1);
            assertThat(log.append(bytes("small"))).isEqualTo(2);
        }
        try (CommitLog log = open()) {
            assertThat(log.read(1)).isEqualTo(large);
            assertThat(log.read(2)).isEqualTo(bytes("small"));
        }
    }

    @Test
    void everyOneOfManyThreadsGetsTheLsnOfItsOwnRecord() throws Exception {
        int threads = 64;
        int each = 40;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        Map<Long, String> acknowledged = new HashMap<>();
        try (CommitLog log = CommitLog.open(
                directory, CommitLogOptions.builder().segmentSize(20_000).build())) {
            List<Callable<Map<Long, String>>> tasks = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                String name = "thread " + thread;
                tasks.add(() -> {
                    Map<Long, String> own = new HashMap<>();
                    long before = 0;
                    for (int i = 0; i < each; i++) {
                        String record = name + " record " + i;
                        long lsn = log.append(bytes(record));
                        assertThat(lsn).isGreaterThan(before);
                        assertThat(log.read(lsn)).isEqualTo(bytes(record));
                        own.put(lsn, record);
                        before = lsn;
                    }
                    return own;
                });
            }
            for (Future<Map<Long, String>> own : callers.invokeAll(tasks)) {
                acknowledged.putAll(own.get());
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(acknowledged).hasSize(threads * each);
        try (CommitLog log = open()) {
            assertThat(log.lastLsn()).isEqualTo((long) threads * each);
            for (Map.Entry<Long, String> entry : acknowledged.entrySet()) {
                assertThat(log.read(entry.getKey())).isEqualTo(bytes(entry.getValue()));
            }
        }
    }

    @Test
    void lsnsThatAreNotThereAreNamed() throws Exception {
        try (CommitLog log = open()) {
            log.append(bytes("one"));
            for (long lsn : new long[] {-1, 0, 2, Long.MAX_VALUE}) {
                assertThatExceptionOfType(NoSuchElementException.class)
                        .isThrownBy(() -> log.read(lsn))
                        .withMessageContaining("no record " + lsn)
                        .withMessageContaining("last one is 1");
            }
        }
    }

    @Test
    void aRecordThatIsTooLargeIsRefused() throws Exception {
        try (CommitLog log = CommitLog.open(
                directory, CommitLogOptions.builder().maxRecordSize(4).build())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.append(bytes("12345")))
                    .withMessageContaining("5 bytes")
                    .withMessageContaining("maxRecordSize is 4");
            assertThat(log.append(bytes("1234"))).isEqualTo(1);
        }
    }

    @Test
    void sizesOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommitLogOptions.builder().segmentSize(0))
                .withMessage("segmentSize is 0 bytes: it must be from 1 to 1073741824");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommitLogOptions.builder().maxRecordSize((64 << 20) + 1))
                .withMessage("maxRecordSize is 67108865 bytes: it must be from 1 to 67108864");
    }

    @Test
    void aClosedLogTakesNoRecords() throws Exception {
        CommitLog log = open();
        log.append(bytes("one"));
        log.close();
        log.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> log.append(bytes("two")))
                .withMessageContaining(directory.toString())
                .withMessageContaining("is closed");
        try (CommitLog again = open()) {
            assertThat(again.lastLsn()).isEqualTo(1);
        }
    }

    @Test
    void aDirectoryBelongsToOneLogOfThisProcess() throws Exception {
        try (CommitLog log = open()) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining(directory.toString())
                    .withMessageContaining(
                            "is in use by process " + ProcessHandle.current().pid());
            assertThat(log.append(bytes("one"))).isEqualTo(1);
        }
        open().close();
    }

    @Test
    void aDirectoryBelongsToOneProcess() throws Exception {
        try (ChildProcess<AppendingProcess.Acknowledged> other = AppendingProcess.start(directory, 1, 1)) {
            other.awaitAcknowledged(1);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("is in use by process " + other.pid());
        }
        try (CommitLog log = open()) {
            assertThat(log.lastLsn()).isPositive();
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenToIsNamed() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("read-only"));
        assertThat(folder.toFile().setWritable(false)).isTrue();
        // Root may write to any folder, but not create files where the kernel keeps its own.
        Path readOnly = Files.isWritable(folder) ? Path.of("/sys") : folder;
        try {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> CommitLog.open(readOnly, CommitLogOptions.defaults()))
                    .withMessageContaining("The log directory " + readOnly + " cannot be written to");
        } finally {
            assertThat(folder.toFile().setWritable(true)).isTrue();
        }
    }

    @Test
    void aDirectoryThatIsAFileIsNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CommitLog.open(file, CommitLogOptions.defaults()))
                .withMessageContaining("The log directory " + file + " cannot be written to");
    }
}
