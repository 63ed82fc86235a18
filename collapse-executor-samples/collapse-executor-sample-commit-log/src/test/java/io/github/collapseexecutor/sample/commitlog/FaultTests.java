package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fails is never taken for one that does not, and what was acknowledged stays. */
class FaultTests {

    private static final CommitLogOptions OPTIONS = CommitLogOptions.defaults();

    @TempDir
    private Path directory;

    private final FaultyFiles files = new FaultyFiles();

    private CommitLog open() throws IOException {
        return CommitLog.open(directory, OPTIONS, files, null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private void assertHolds(String... records) throws IOException {
        try (CommitLog log = CommitLog.open(directory, OPTIONS)) {
            List<String> found = new ArrayList<>();
            for (long lsn = 1; lsn <= log.lastLsn(); lsn++) {
                found.add(new String(log.read(lsn), UTF_8));
            }
            assertThat(found).containsExactly(records);
        }
    }

    @Test
    void aForceThatFailsFailsItsGroupAndAllAfterItUntilTheLogIsOpenedAgain() throws Exception {
        try (CommitLog log = open()) {
            log.append(bytes("acknowledged"));
            Gate gate = new Gate();
            files.beforeForce = () -> {
                files.beforeForce = () -> {}; // the operating system would say next that all is well
                gate.pass();
                throw new IOException("device gone");
            };
            Appender first = Appender.of(log, "first");
            gate.awaitReached();
            long written = files.written.get();
            Appender second = Appender.of(log, "second");
            await().atMost(Duration.ofMinutes(1)).until(() -> files.written.get() > written);
            gate.open();
            assertThat(first.failure())
                    .isInstanceOf(UncertainAppendException.class)
                    .hasMessageContaining("00000000000000000001.log could not be forced")
                    .hasMessageContaining("device gone");
            assertThat(second.failure()).isInstanceOf(UncertainAppendException.class);

            for (int i = 0; i < 10; i++) {
                assertThat(catchThrowable(() -> log.append(bytes("later"))))
                        .isExactlyInstanceOf(IOException.class)
                        .hasMessageContaining("takes no records since a failure")
                        .hasMessageContaining("device gone")
                        .hasMessageContaining("open it again");
            }
            assertThat(log.lastLsn()).isEqualTo(1);
            assertThat(log.read(1)).isEqualTo(bytes("acknowledged"));
        }
        try (CommitLog log = open()) {
            assertThat(log.append(bytes("again"))).isEqualTo(4);
        }
        assertHolds("acknowledged", "first", "second", "again");
    }

    @Test
    void recordsThatRecoveryKeepsAreWrittenAgainBeforeTheyAreForced() throws Exception {
        try (CommitLog log = open()) {
            log.append(bytes("record"));
        }
        long written = files.written.get();
        int forces = files.forces.get();
        open().close();
        assertThat(files.written.get() - written).isEqualTo(written);
        assertThat(files.forces).hasValue(forces + 1);
    }

    @Test
    void aForceThatFailsWhenASegmentIsFullFailsAllThatComesAfter() throws Exception {
        CommitLogOptions small = CommitLogOptions.builder().segmentSize(50).build();
        try (LogStore store = LogStore.open(directory, small, files)) {
            Group full = store.write(List.of(Entry.of(new byte[100])));
            files.beforeForce = () -> {
                files.beforeForce = () -> {};
                throw new IOException("device gone");
            };
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> store.write(List.of(Entry.of(new byte[1]))))
                    .withMessageContaining("not in the log");
            assertThatExceptionOfType(UncertainAppendException.class).isThrownBy(() -> store.sync(full.lastLsn()));
        }
    }

    @Test
    void shortWritesAreCompleted() throws Exception {
        Random random = new Random(1);
        files.limit = bytes -> 1 + random.nextInt(Math.min(bytes, 7));
        try (CommitLog log = open()) {
            for (int i = 1; i <= 50; i++) {
                assertThat(log.append(bytes("record " + i))).isEqualTo(i);
                assertThat(log.read(i)).isEqualTo(bytes("record " + i));
            }
        }
        try (CommitLog log = CommitLog.open(directory, OPTIONS)) {
            assertThat(log.lastLsn()).isEqualTo(50);
        }
    }

    @Test
    void aWriteThatWritesNothingFailsInsteadOfBeingTriedForEver() throws Exception {
        try (CommitLog log = open()) {
            files.limit = bytes -> 0;
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> log.append(bytes("record")))
                    .withMessageContaining("not in the log");
        }
    }

    @Test
    void aWriteThatFailsHalfWayLeavesNothingAndTheLogGoesOn() throws Exception {
        try (CommitLog log = open()) {
            log.append(bytes("first"));
            files.limit = FaultyFiles.room(20); // a header, and a part of the data
            assertThat(catchThrowable(() -> log.append(bytes("too much for the disk"))))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("00000000000000000001.log at offset ")
                    .hasMessageContaining("They are not in the log");
            files.limit = bytes -> bytes;
            assertThat(log.append(bytes("second"))).isEqualTo(2);
        }
        assertHolds("first", "second");
    }

    @Test
    void aWriteThatCannotBeUndoneIsNotTakenForOneThatDidNotHappen() throws Exception {
        try (CommitLog log = open()) {
            log.append(bytes("first"));
            files.limit = FaultyFiles.room(20);
            files.beforeTruncate = () -> {
                throw new IOException("device gone");
            };
            assertThatExceptionOfType(UncertainAppendException.class)
                    .isThrownBy(() -> log.append(bytes("too much for the disk")))
                    .withMessageContaining("could not be cut off");
            files.limit = bytes -> bytes;
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> log.append(bytes("later")))
                    .withMessageContaining("takes no records since a failure");
        }
        assertHolds("first");
    }

    @Test
    void aCutThatCannotBeForcedIsNotTakenForAWriteThatDidNotHappen() throws Exception {
        try (CommitLog log = open()) {
            log.append(bytes("first"));
            files.limit = FaultyFiles.room(20);
            files.beforeForce = () -> {
                throw new IOException("device gone");
            };
            assertThatExceptionOfType(UncertainAppendException.class)
                    .isThrownBy(() -> log.append(bytes("too much for the disk")))
                    .withMessageContaining("could not be cut off")
                    .withMessageContaining("device gone");
            files.limit = bytes -> bytes;
            files.beforeForce = () -> {};
        }
        assertHolds("first");
    }

    @Test
    void aSegmentThatCannotBeCreatedIsTriedAgain() throws Exception {
        CommitLogOptions small = CommitLogOptions.builder().segmentSize(50).build();
        try (CommitLog log = CommitLog.open(directory, small, files, null)) {
            log.append(new byte[100]);
            files.beforeCreate = () -> {
                throw new IOException("No space left on device");
            };
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> log.append(bytes("second")))
                    .withMessageContaining("no new segment could be created in " + directory)
                    .withMessageContaining("No space left on device");
            files.beforeCreate = () -> {};
            files.beforeForceDirectory = () -> {
                throw new IOException("directory gone");
            };
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> log.append(bytes("second")))
                    .withMessageContaining("directory gone");
            assertThat(Segment.firstLsns(directory)).containsExactly(1L);
            files.beforeForceDirectory = () -> {};
            assertThat(log.append(bytes("second"))).isEqualTo(2);
            assertThat(Segment.firstLsns(directory)).containsExactly(1L, 2L);
        }
    }

    @Test
    void nothingAcknowledgedIsLostWhereverTheDiskFails() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ConcurrentHashMap<Long, String> acknowledged = new ConcurrentHashMap<>();
        ExecutorService callers = Executors.newFixedThreadPool(8);
        CommitLogOptions small = CommitLogOptions.builder().segmentSize(2_000).build();
        for (int round = 0; round < 30; round++) {
            AtomicInteger untilFailure = new AtomicInteger(random.nextInt(60));
            boolean onForce = random.nextBoolean();
            FaultyFiles.Before fault = () -> {
                if (untilFailure.decrementAndGet() == 0) {
                    throw new IOException("device gone");
                }
            };
            try (CommitLog log = CommitLog.open(directory, small, files, null)) {
                if (onForce) {
                    files.beforeForce = fault;
                } else {
                    files.limit = bytes -> {
                        fault.run();
                        return 1 + bytes / 2;
                    };
                }
                List<Future<?>> ends = new ArrayList<>();
                for (int thread = 0; thread < 8; thread++) {
                    String name = "round " + round + " thread " + thread;
                    ends.add(callers.submit(() -> {
                        for (int i = 0; i < 20; i++) {
                            String record = name + " record " + i;
                            try {
                                assertThat(acknowledged.put(log.append(bytes(record)), record))
                                        .as("seed " + seed + ": what had the LSN before")
                                        .isNull();
                            } catch (IOException e) {
                                assertThat(e).as("seed " + seed).hasStackTraceContaining("device gone");
                            }
                        }
                        return null;
                    }));
                }
                for (Future<?> end : ends) {
                    end.get();
                }
            } finally {
                files.beforeForce = () -> {};
                files.limit = bytes -> bytes;
            }
        }
        callers.shutdown();
        try (CommitLog log = CommitLog.open(directory, small)) {
            assertThat(acknowledged).as("seed " + seed).hasSizeGreaterThan(100);
            for (var entry : acknowledged.entrySet()) {
                assertThat(log.read(entry.getKey())).as("seed " + seed).isEqualTo(bytes(entry.getValue()));
            }
        }
    }
}
