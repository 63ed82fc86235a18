package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The measurement measures: every caller that comes is counted, and what is printed and drawn is what was counted. */
class AddedWaitTests {

    private static final long TIME = TimeUnit.MILLISECONDS.toNanos(100);

    private static AddedWaitRow measure(Arrivals arrivals) throws Exception {
        return AddedWait.measure(1_000, arrivals, 0.1, TIME, TIME);
    }

    @Test
    void callersInALoopShareExecutions() throws Exception {
        AddedWaitRow row = measure(Arrivals.inLoop(32));
        assertThat(row.callers()).isPositive();
        assertThat(row.executions()).isBetween(1.0, 999.0);
        assertThat(row.added().max()).isPositive();
        assertThat(row.within())
                .isSorted()
                .allSatisfy(share -> assertThat(share).isBetween(0.0, 1.0));
    }

    @Test
    void callersThatComeByChanceAreAllCounted() throws Exception {
        // 200 are expected, at a standard deviation of 14.
        assertThat(measure(Arrivals.perSecond(2_000)).callers()).isBetween(100L, 300L);
    }

    @Test
    void aRowHasAsManyColumnsAsTheHeading() throws Exception {
        assertThat(Stream.concat(
                                AddedWaitRow.HEADING.lines(),
                                measure(Arrivals.inLoop(2)).toMarkdown().lines())
                        .map(line -> line.chars().filter(c -> c == '|').count())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void theChartHasALineForEachWayToComeAndTwoForTheBound() {
        AddedWaitRow.Spread wait = new AddedWaitRow.Spread(50, 90, 200);
        AddedWaitRow.Spread timer = new AddedWaitRow.Spread(10, 30, 80);
        List<AddedWaitRow> rows = Stream.of(1_000L, 10_000L)
                .flatMap(call -> Stream.of("often", "seldom")
                        .map(arrivals -> new AddedWaitRow(
                                call, arrivals, 100, 5, 125, wait, 0.1 * call, timer, List.of(0.5, 0.9, 1.0))))
                .toList();
        assertThat(AddedWaitRow.chart(rows, 0.1).lines())
                .extracting(LineChart.Line::name, LineChart.Line::points)
                .containsExactly(
                        tuple("often", points(90, 90)),
                        tuple("seldom", points(90, 90)),
                        tuple("bound", points(100, 1_000)),
                        tuple("bound and timer's p99", points(130, 1_030)));
    }

    private static List<LineChart.Point> points(double first, double second) {
        return List.of(new LineChart.Point(1, first), new LineChart.Point(10, second));
    }
}
