package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.ScalarResult;

/** The percentiles are those of all callers that are measured, of one iteration. */
class CallerLatenciesTests {

    private final CallerLatencies profiler = new CallerLatencies();

    private static double value(List<ScalarResult> results, int percentile) {
        return results.stream()
                .filter(result -> result.getLabel().equals(CallerLatencies.label(percentile)))
                .mapToDouble(ScalarResult::getScore)
                .findFirst()
                .orElseThrow();
    }

    private static void record(SingleWriterRecorder caller, int times, long micros) {
        caller.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(micros), times);
    }

    @Test
    void percentilesAreThoseOfAllCallers() {
        profiler.begin();
        SingleWriterRecorder quick = CallerLatencies.ofOneMoreCaller();
        SingleWriterRecorder slow = CallerLatencies.ofOneMoreCaller();
        record(quick, 970, 100);
        record(slow, 10, 200);
        record(slow, 20, 3_000);
        List<ScalarResult> results = profiler.end();
        assertThat(value(results, 50)).isCloseTo(100, withinPercentage(1));
        assertThat(value(results, 99)).isCloseTo(3_000, withinPercentage(1));
    }

    @Test
    void eachIterationCountsAnew() {
        profiler.begin();
        SingleWriterRecorder caller = CallerLatencies.ofOneMoreCaller();
        record(caller, 100, 5_000);
        assertThat(profiler.end()).hasSize(2);
        record(caller, 100, 5_000); // after the iteration, as callers do that are still on their way
        profiler.begin();
        record(caller, 1, 10);
        assertThat(value(profiler.end(), 99)).isCloseTo(10, withinPercentage(1));
    }

    @Test
    void callersBeyondTheFirstAreNotMeasured() {
        profiler.begin();
        for (int i = 0; i < CallerLatencies.CALLERS; i++) {
            assertThat(CallerLatencies.ofOneMoreCaller()).isNotNull();
        }
        assertThat(CallerLatencies.ofOneMoreCaller()).isNull();
    }

    @Test
    void whereNobodyIsMeasuredThereAreNoPercentiles() {
        profiler.begin();
        assertThat(profiler.end()).isEmpty();
    }
}
