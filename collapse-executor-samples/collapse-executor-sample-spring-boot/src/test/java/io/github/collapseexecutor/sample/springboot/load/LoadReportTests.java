package io.github.collapseexecutor.sample.springboot.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.figures.Section;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadReportTests {

    private final LoadReport report = new LoadReport(LoadScenario.SERVLET);
    private final LoadReport distinct = new LoadReport(LoadScenario.DISTINCT_SERVLET);

    private static LoadMeasurement measured(long answers, long p99Millis, long runs, long wrong, long failed) {
        Histogram latencies = new Histogram(3);
        latencies.recordValue(p99Millis * 1_000_000);
        return new LoadMeasurement(
                new LoadResult(
                        answers,
                        answers,
                        1_000_000_000,
                        latencies,
                        wrong,
                        failed,
                        failed == 0 ? null : "it broke",
                        List.of()),
                runs,
                Duration.ofMillis(answers));
    }

    private void addAll(LoadMeasurement fresh) {
        report.add(LoadWay.OFF, measured(1_000, 200, 1_000, 0, 0));
        report.add(LoadWay.OFF, measured(2_000, 200, 2_000, 0, 0));
        report.add(LoadWay.OFF, measured(9_000, 200, 9_000, 0, 0));
        report.add(LoadWay.FRESH, fresh);
        report.add(LoadWay.IN_FLIGHT, measured(3_899, 110, 40, 0, 0));
        if (LoadScenario.SERVLET.ways().contains(LoadWay.VIRTUAL_THREADS)) {
            report.add(LoadWay.VIRTUAL_THREADS, measured(3_600, 110, 40, 0, 0));
        }
    }

    @Test
    void aReportIsSteadyWhenTheLastMeasurementsOfEveryWayAreAlike() {
        for (long rate : new long[] {500, 1_000, 980}) {
            distinct.add(LoadWay.OFF, measured(rate, 10, 1, 0, 0));
            distinct.add(LoadWay.FRESH, measured(1_000, 10, 1, 0, 0));
        }
        assertThat(distinct.isSteady(3, 0.03)).isFalse();
        distinct.add(LoadWay.OFF, measured(1_005, 10, 1, 0, 0));
        assertThat(distinct.isSteady(3, 0.03)).isTrue();
        assertThat(distinct.isSteady(4, 0.03)).isFalse();
        assertThat(distinct.rates()).isEqualTo("off 500 1000 980 1005, fresh 1000 1000 1000");
    }

    @Test
    void theRatioIsThatOfTheMedianRounds() {
        addAll(measured(3_700, 114, 111, 0, 0)); // a latency is known to a thousandth, and told as the upper end of it
        assertThat(report.ratio(LoadWay.FRESH)).isEqualTo(1.85);
        assertThat(report.of(LoadWay.FRESH).runsPerThousand()).isEqualTo(30);
        assertThat(report.isRight()).isTrue();
        assertThat(report.toString())
                .containsSubsequence(
                        "Servlet",
                        "400 connections",
                        "off               1.000        2000",
                        "1000/s (p99 200.0 ms, 1000.0 µs) 2000/s (p99 200.0 ms, 1000.0 µs) 9000/s",
                        "fresh             1.850        3700",
                        "met:    fresh at least 1.85 times off",
                        "missed: in-flight at least 1.95 times off",
                        "met:    p99 at most 115 ms",
                        "met:    at most 35 runs per 1 000");
    }

    @Test
    void distinctRequestsMeetTheirGoalsIfTheyCostLittleAndAreAllForwarded() {
        distinct.add(LoadWay.OFF, measured(1_000, 10, 1_000, 0, 0));
        distinct.add(LoadWay.FRESH, measured(970, 10, 970, 0, 0));
        assertThat(distinct.toString())
                .contains("met:    fresh at least 0.97 times off", "met:    every request is a run of its own")
                .doesNotContain("in-flight");
    }

    @Test
    void distinctRequestsMissTheirGoalsIfTheyCostMoreOrOneIsNotForwarded() {
        distinct.add(LoadWay.OFF, measured(1_000, 10, 1_000, 0, 0));
        distinct.add(LoadWay.FRESH, measured(969, 10, 968, 0, 0));
        assertThat(distinct.toString())
                .contains("missed: fresh at least 0.97 times off", "missed: every request is a run of its own");
    }

    @Test
    void aSingleWrongAnswerSpoilsIt() {
        addAll(measured(3_700, 115, 222, 1, 0));
        assertThat(report.isRight()).isFalse();
    }

    @Test
    void theSectionOfAReportHasARowForEachWayAndNamesWhatWasWrong() {
        addAll(measured(3_700, 115, 222, 1, 0));
        Section section = report.section("");
        assertThat(section.tables().get(0).rows()).hasSameSizeAs(LoadScenario.SERVLET.ways());
        assertThat(section.tables().get(0).text().get(1))
                .startsWith("fresh", "1.85", "3700", "115")
                .contains("16.7");
        assertThat(section.mistakes()).containsExactly("fresh: 1 wrong, 0 failed, 3700 answers");
    }

    @Test
    void mistakeOfTheWarmUpSpoilsItToo() {
        addAll(measured(3_700, 115, 222, 0, 0));
        distinct.add(LoadWay.OFF, measured(1_000, 10, 1, 1, 0));
        report.warmedUp(distinct);
        assertThat(report.isRight()).isFalse();
        assertThat(report.section("").mistakes()).containsExactly("warming up, off: 1 wrong, 0 failed, 1000 answers");
    }

    @Test
    void aSingleFailureSpoilsItAndIsNamed() {
        addAll(measured(3_700, 115, 222, 0, 1));
        assertThat(report.isRight()).isFalse();
        assertThat(report.section("").mistakes())
                .containsExactly("fresh: 0 wrong, 1 failed (first: it broke), 3700 answers");
    }

    @Test
    void nobodyAnsweredSpoilsIt() {
        addAll(measured(0, 115, 222, 0, 0));
        assertThat(report.isRight()).isFalse();
    }
}
