package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A log that is created, filled over several segments, closed and opened again stops at each of its steps on files, one after
 * the other. However much of what was not forced is lost, the log opens again, holds all that was acknowledged, and gives no
 * LSN of that out again.
 */
class CrashAtEveryStepTests {

    private static final CommitLogOptions SMALL =
            CommitLogOptions.builder().segmentSize(60).build();
    private static final int SESSIONS = 2;
    private static final int RECORDS_EACH = 5;
    private static final int RANDOM_ROUNDS = Integer.getInteger("kill.rounds", 8) > 8 ? 20 : 1;

    /** What the log is before its first step. */
    enum Begin {
        NEW,
        /** From before there were manifests. */
        WITHOUT_MANIFEST
    }

    @TempDir
    private Path folder;

    private static byte[] record(long lsn) {
        return ("record " + lsn).getBytes(UTF_8);
    }

    private static long append(LogStore store) throws IOException {
        long next = store.lastLsn() + 1;
        Group group = store.write(List.of(Entry.of(record(next))));
        store.sync(group.lastLsn());
        store.commit(group);
        return group.lastLsn();
    }

    /** Runs until the files stop; returns the last LSN that was acknowledged. */
    private static long run(Path log, LogFiles files, long before) {
        long acknowledged = before;
        try {
            for (int session = 0; session < SESSIONS; session++) {
                try (LogStore store = LogStore.open(log, SMALL, files)) {
                    for (int i = 0; i < RECORDS_EACH; i++) {
                        acknowledged = append(store);
                    }
                }
            }
        } catch (IOException e) {
            assertThat(e).hasStackTraceContaining("crashed at step");
        }
        return acknowledged;
    }

    @ParameterizedTest
    @EnumSource
    void anAcknowledgedRecordIsThereWhereverTheLogStops(Begin begin) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        boolean crashed = true;
        for (int step = 0; crashed; step++) {
            List<String> losses = new ArrayList<>(List.of("nothing", "all that was not forced"));
            for (int round = 0; round < RANDOM_ROUNDS; round++) {
                losses.add("some of what was not forced, seed " + seed);
            }
            for (String loss : losses) {
                Path log = Files.createTempDirectory(folder, "log");
                long before = begin == Begin.NEW ? 0 : withoutManifest(log);
                CrashingFiles files = new CrashingFiles(step);
                files.takeAsDurable(log);
                long acknowledged = run(log, files, before);
                crashed = files.hasCrashed();
                if (!loss.equals("nothing")) {
                    files.losePower(log, loss.startsWith("all") ? null : random);
                }
                assertHolds("step " + step + ", lost: " + loss, log, acknowledged);
            }
            assertThat(step).as("steps").isLessThan(1_000);
        }
    }

    private static long withoutManifest(Path log) throws IOException {
        long last = run(log, new CrashingFiles(), 0);
        Files.delete(log.resolve("manifest"));
        return last;
    }

    private static void assertHolds(String what, Path log, long acknowledged) throws IOException {
        long last;
        try (LogStore store = LogStore.open(log, SMALL, new CrashingFiles())) {
            assertThat(store.lastLsn()).as(what).isBetween(acknowledged, acknowledged + 1);
            for (long lsn = 1; lsn <= store.lastLsn(); lsn++) {
                assertThat(store.read(lsn)).as(what).isEqualTo(record(lsn));
            }
            last = append(store);
        } catch (CorruptLogException e) {
            throw new AssertionError(what, e);
        }
        try (LogStore store = LogStore.open(log, SMALL, new CrashingFiles())) {
            assertThat(store.lastLsn()).as(what).isEqualTo(last);
        }
    }
}
