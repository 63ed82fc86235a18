package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever driver, options, statement, trigger and rows: each caller is told of its row what it is told if it writes it alone, and the
 * tables are the same. The normal build has each two settings meet; {@code -Pproofs} has all of them meet.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS) // all settings of a driver take longer than another test may
class DriverMatrixTests {

    private static final boolean ALL = Boolean.getBoolean("write.matrix.all");
    private static final long SEED = Long.getLong("write.matrix.seed", ALL ? System.nanoTime() : 1);

    /** Which part of how many of the set-ups is run, such as 3/20: every twentieth, from the third on. */
    private static final String[] PART =
            System.getProperty("write.matrix.part", "1/1").split("/", -1);

    @ParameterizedTest
    @EnumSource
    void rowsOfABatchAreWhatTheyAreAlone(MatrixDriver driver) throws Exception {
        Random random = new Random(SEED);
        List<MatrixCell> cells = part(ALL ? MatrixCell.all(driver) : MatrixCell.pairwise(driver, random));
        List<String> differences = new ArrayList<>();
        try (MatrixRun run = new MatrixRun(driver)) {
            for (MatrixCell cell : cells) {
                List<String> found = run.differences(cell, random);
                if (!found.isEmpty()) {
                    differences.add(cell + "\n    " + String.join("\n    ", found));
                }
            }
        }
        assertThat(String.join("\n", differences))
                .as("%d of %d cells differ, -Dwrite.matrix.seed=%d", differences.size(), cells.size(), SEED)
                .isEmpty();
    }

    /**
     * With a connection that is cut, a network that stalls and a statement that is refused in the middle of a batch: what callers are told is there is
     * there once, what they are told is not there is not, and nobody waits for ever.
     */
    @ParameterizedTest
    @EnumSource
    void callersOfABatchWithAFaultAreToldWhatIsThere(MatrixDriver driver) throws Exception {
        Random random = new Random(SEED);
        List<MatrixCell.Faulty> cells =
                part(ALL ? MatrixCell.withAllFaults(driver, random) : MatrixCell.withFaults(driver, random));
        List<String> differences = new ArrayList<>();
        try (MatrixRun run = new MatrixRun(driver)) {
            for (MatrixCell.Faulty faulty : cells) {
                List<String> found = run.differences(faulty.cell(), faulty.fault(), random);
                if (!found.isEmpty()) {
                    differences.add(faulty + "\n    " + String.join("\n    ", found));
                }
            }
        }
        assertThat(String.join("\n", differences))
                .as("%d of %d cells differ, -Dwrite.matrix.seed=%d", differences.size(), cells.size(), SEED)
                .isEmpty();
    }

    private static <T> List<T> part(List<T> cells) {
        int first = Integer.parseInt(PART[0]) - 1;
        int parts = Integer.parseInt(PART[1]);
        return IntStream.range(0, cells.size())
                .filter(cell -> cell % parts == first)
                .mapToObj(cells::get)
                .toList();
    }
}
