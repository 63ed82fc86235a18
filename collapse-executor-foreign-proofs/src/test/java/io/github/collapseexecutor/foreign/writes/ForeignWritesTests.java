package io.github.collapseexecutor.foreign.writes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
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
    private static final int FIXED_SEEDS = 40;

    @BeforeAll
    static void silenceLibraries() {
        QuietLogs.begin();
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfABatchAreWhatTheyAreAlone(Server server) throws Exception {
        long first = MINUTES == 0 ? 1 : System.nanoTime();
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
