package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.commitlog.ChildProcess;
import io.github.collapseexecutor.sample.commitlog.xa.CommittingProcess.Acknowledged;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process that commits from 32 threads is killed at a random moment, again and again, on one store. The ordinary build
 * kills once each way with a few settings, the profile {@code proofs} 50 times each way with all.
 */
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class StoreKillTests {

    private static final int CALLERS = 32;
    private static final int MOST_TRANSACTIONS = 2_000;
    private static final int ROUNDS = Integer.getInteger("store.kill.rounds", 1);

    /** For the proof that these tests notice a rule that is broken. */
    private static final XaRulesTests.Rules RULES =
            XaRulesTests.Rules.valueOf(System.getProperty("store.kill.rules", "KEPT"));

    @TempDir
    private Path directory;

    static Stream<Arguments> settingsOfEachWay() {
        List<Integer> flushes = List.of(0, 1, 2);
        List<Integer> syncs = List.of(0, 1, 3);
        return Stream.of(CommitWay.values())
                .flatMap(way -> IntStream.range(0, flushes.size() * syncs.size())
                        .filter(pair -> ROUNDS > 1 || pair % 3 == pair / 3)
                        .mapToObj(pair -> Arguments.of(way, flushes.get(pair / 3), syncs.get(pair % 3))));
    }

    @ParameterizedTest
    @MethodSource("settingsOfEachWay")
    void acknowledgedTransactionsAreThereAndStoreAndBinlogAgree(CommitWay way, int flushLogAtCommit, int syncBinlog)
            throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Acknowledged> acknowledged = new ArrayList<>();
        Set<Long> lost = new HashSet<>();
        for (int round = 1; round <= ROUNDS; round++) {
            String what = way.label + " " + flushLogAtCommit + "/" + syncBinlog + ", seed " + seed + ", round " + round;
            try (ChildProcess<Acknowledged> process = CommittingProcess.start(
                    directory, way, flushLogAtCommit, syncBinlog, RULES, CALLERS, round * 1_000_000)) {
                process.awaitAcknowledged(1 + random.nextInt(MOST_TRANSACTIONS));
                acknowledged.addAll(process.kill());
                assertThat(process.failures()).as(what).isEmpty();
            }
            StoreContent content = StoreContent.of(directory);
            if (flushLogAtCommit == 0) {
                lost.addAll(content.recovery().onlyInBinlog()); // what the killed process had in its buffer only
                content.assertAgreeBut(what, lost);
            } else {
                content.assertAgree(what);
            }
            check(what, content, acknowledged);
        }
        assertThat(acknowledged).as("seed " + seed).isNotEmpty();
    }

    /** The binlog has what was acknowledged: a killed process leaves what it has written to the operating system. */
    private static void check(String what, StoreContent content, List<Acknowledged> acknowledged) {
        Map<Long, Map<String, String>> binlog =
                content.binlog().stream().collect(Collectors.toMap(StoreRecord::xid, StoreRecord::rows));
        for (Acknowledged each : acknowledged) {
            assertThat(binlog.get(each.xid()))
                    .as(what + ": " + each)
                    .isEqualTo(StoreContent.rows(each.caller(), each.number()));
        }
    }
}
