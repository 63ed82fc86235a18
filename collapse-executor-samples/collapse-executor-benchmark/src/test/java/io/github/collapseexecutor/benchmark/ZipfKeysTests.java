package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys are asked for as often as Zipf's law says. */
class ZipfKeysTests {

    private static ZipfKeys keys(int keys) {
        ZipfKeys sequence = new ZipfKeys();
        sequence.keys = keys;
        sequence.exponent = 0.99;
        sequence.draw();
        return sequence;
    }

    private static double share(ZipfKeys keys, int key) {
        return (double) IntStream.range(0, ZipfKeys.LENGTH)
                        .filter(i -> keys.at(i) == key)
                        .count()
                / ZipfKeys.LENGTH;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 1_000_000})
    void aKeyIsAskedForInProportionToThePowerOfItsRank(int count) {
        ZipfKeys keys = keys(count);
        double all = IntStream.rangeClosed(1, count)
                .mapToDouble(rank -> Math.pow(rank, -0.99))
                .sum();
        for (int rank : new int[] {1, 2, 10, 100}) {
            double expected = rank <= count ? Math.pow(rank, -0.99) / all : 0;
            // Five standard deviations of what is drawn.
            assertThat(share(keys, rank)).isCloseTo(expected, within(5 * Math.sqrt(expected / ZipfKeys.LENGTH)));
        }
    }

    @Test
    void noOtherKeyIsAskedFor() {
        ZipfKeys keys = keys(1_000);
        assertThat(IntStream.range(0, ZipfKeys.LENGTH).map(keys::at).summaryStatistics())
                .satisfies(drawn -> assertThat(drawn.getMin()).isEqualTo(1))
                .satisfies(drawn -> assertThat(drawn.getMax()).isEqualTo(1_000));
    }

    @Test
    void everyRunAsksForTheSameKeys() {
        ZipfKeys one = keys(1_000);
        ZipfKeys other = keys(1_000);
        assertThat(IntStream.range(0, ZipfKeys.LENGTH).allMatch(i -> one.at(i).equals(other.at(i))))
                .isTrue();
    }

    @Test
    void theSequenceStartsAgainAtItsEnd() {
        ZipfKeys keys = keys(1_000);
        assertThat(keys.at(ZipfKeys.LENGTH + 7)).isEqualTo(keys.at(7));
        assertThat(keys.at(Integer.MIN_VALUE)).isEqualTo(keys.at(0));
    }
}
