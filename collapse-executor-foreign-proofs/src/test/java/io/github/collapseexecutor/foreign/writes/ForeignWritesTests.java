package io.github.collapseexecutor.foreign.writes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever stands between a writer and the driver, and whatever the database does beside storing rows: each caller is told of its row as if it wrote
 * that alone. With a fault: the rows that callers are told of are there, and those that they are told are not there are not.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS) // as long as foreign.minutes says
class ForeignWritesTests {

    private static final long MINUTES = Long.getLong("foreign.minutes", 0);
    /** One that a failure has printed. */
    private static final long ONLY_SEED = Long.getLong("foreign.seed", 0);

    private static final int FIXED_SEEDS = ONLY_SEED != 0 ? 1 : 40;

    @BeforeAll
    static void silenceLibraries() {
        QuietLogs.begin();
    }

    /** It rolls back instead of committing if a statement has failed before, also one that was taken back. */
    @Test
    void rowsAreThereThoughTwoPartsHideShardingSphere() throws Exception {
        Shape shape = Shape.of(Server.POSTGRESQL).stream()
                .filter(each -> each.name().equals("exclusion"))
                .findFirst()
                .orElseThrow();
        List<Layer> layers = List.of(new ShardingSphereLayer(), new Dbcp2Layer(), new P6SpyLayer());
        for (long seed = 1; seed <= 10; seed++) {
            WriteSetUp setUp =
                    new WriteSetUp(seed, Server.POSTGRESQL, shape, layers, Fault.CUT_AFTER, 5, false, true, 6);
            assertThat(new WriteRun(setUp).differences()).as("%s", setUp).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfABatchAreWhatTheyAreAlone(Server server) throws Exception {
        long first = ONLY_SEED != 0 ? ONLY_SEED : MINUTES == 0 ? 1 : System.nanoTime();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        List<String> differences = new ArrayList<>();
        long seed = first;
        while (MINUTES == 0 ? seed < first + FIXED_SEEDS : System.nanoTime() < end) {
            WriteSetUp setUp = WriteSetUp.of(server, seed++);
            List<String> found = new WriteRun(setUp).differences();
            if (!found.isEmpty()) {
                differences.add(setUp + "\n    " + String.join("\n    ", found));
            }
        }
        assertThat(String.join("\n", differences))
                .as("%d of %d set-ups differ", differences.size(), seed - first)
                .isEmpty();
    }
}
