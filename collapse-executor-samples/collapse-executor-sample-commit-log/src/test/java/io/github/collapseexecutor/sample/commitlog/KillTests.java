package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.commitlog.AppendingProcess.Acknowledged;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that appends from 64 threads is killed at a random moment, again and again, on one directory. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class KillTests {

    private static final int THREADS = 64;
    private static final int MOST_RECORDS = 3_000;
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 8);

    @TempDir
    private Path directory;

    @Test
    void everyAcknowledgedRecordIsThereOnceInOrder() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Acknowledged> acknowledged = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            String what = "seed " + seed + ", round " + round + " of " + ROUNDS;
            acknowledged.addAll(killedAfter(random.nextInt(MOST_RECORDS), round));
            try (CommitLog log = CommitLog.open(directory, CommitLogOptions.defaults())) {
                check(what, log, acknowledged);
            }
        }
        assertThat(acknowledged).as("seed " + seed).isNotEmpty();
        assertThat(Segment.firstLsns(directory))
                .as("segments, so that they rolled")
                .hasSizeGreaterThan(1);
    }

    private List<Acknowledged> killedAfter(int records, int round) throws Exception {
        try (ChildProcess<Acknowledged> process = AppendingProcess.start(directory, THREADS, round)) {
            process.awaitAcknowledged(records);
            List<Acknowledged> told = process.kill();
            assertThat(process.failures()).isEmpty();
            return told;
        }
    }

    /** LSNs have no gaps, so that reading every record by its LSN reads all that is there. */
    static void check(String what, CommitLog log, List<Acknowledged> acknowledged) throws Exception {
        Set<String> names = new HashSet<>();
        for (long lsn = 1; lsn <= log.lastLsn(); lsn++) {
            byte[] record = log.read(lsn);
            String[] name = new String(record, US_ASCII).split(" ", 4);
            assertThat(record)
                    .as(what + ": record " + lsn)
                    .isEqualTo(AppendingProcess.data(
                            Long.parseLong(name[0]), Integer.parseInt(name[1]), Integer.parseInt(name[2])));
            assertThat(names.add(name[0] + " " + name[1] + " " + name[2]))
                    .as(what + ": record " + lsn + " is there for the first time")
                    .isTrue();
        }
        for (Acknowledged each : acknowledged) {
            assertThat(each.lsn()).as(what).isLessThanOrEqualTo(log.lastLsn());
            assertThat(log.read(each.lsn())).as(what + ": " + each).isEqualTo(each.data());
        }
    }
}
