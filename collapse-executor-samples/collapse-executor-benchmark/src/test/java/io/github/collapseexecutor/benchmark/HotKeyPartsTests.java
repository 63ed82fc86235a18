package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The parts of a call are those that it had, and every row has them. */
class HotKeyPartsTests {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void thePartsOfACallAddUpToItsTime() {
        CallParts parts = CallParts.of(10, new HotKeyParts.Execution(7, 30), 45);
        assertThat(parts).isEqualTo(new CallParts(-3, 23, 15));
        assertThat(parts.total()).isEqualTo(35);
    }

    @Test
    void aPercentileHasThePartsOfTheCallsAroundIt() {
        Stream<CallParts> shortOnes = IntStream.range(0, 9_000).mapToObj(i -> new CallParts(0, MILLI, MILLI / 2));
        Stream<CallParts> longOnes =
                IntStream.range(0, 1_000).mapToObj(i -> new CallParts(4 * MILLI, MILLI, 3 * MILLI));
        List<CallParts> calls = Stream.concat(longOnes, shortOnes).toList();
        assertThat(CallParts.at(50, calls)).isEqualTo("1.50 ms | 0.00 ms | 1.00 ms | 0.50 ms");
        assertThat(CallParts.at(99, calls)).isEqualTo("8.00 ms | 4.00 ms | 1.00 ms | 3.00 ms");
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"BARE", "MAP_OF_FUTURES", "FRESH", "IN_FLIGHT"})
    void aRowHasAsManyColumnsAsTheHeading(Way way) throws Exception {
        String row = HotKeyParts.measure(way, 20, 1_000, TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(Stream.concat(HotKeyParts.HEADING.lines(), row.lines())
                        .map(line -> line.chars().filter(c -> c == '|').count())
                        .distinct())
                .hasSize(1);
    }
}
