package io.github.collapseexecutor.sample.cluster;

import io.github.collapseexecutor.figures.BarChart;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.Section;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Measurements as a table for a terminal, and as a section of a report. */
final class ClusterReport {

    private ClusterReport() {}

    static FigureTable table(List<Measurement> measurements) {
        return new FigureTable(
                List.of(
                        "callers share calls",
                        "answers/s",
                        "backend calls/s",
                        "per 1 000",
                        "p50, ms",
                        "p99, ms",
                        "failed",
                        "too old"),
                measurements.stream()
                        .map(one -> List.<Object>of(
                                one.way(),
                                Math.round(one.answersPerSecond()),
                                Math.round(one.backendCallsPerSecond()),
                                one.callsPerThousand(),
                                one.result().p50() / 1_000.0,
                                one.result().p99() / 1_000.0,
                                one.result().failed(),
                                one.result().old()))
                        .toList());
    }

    static Section section(SampleOptions options, List<Measurement> measurements) {
        return Section.of(
                options.instances() + " instances and one hot key, shared through Redis",
                List.of(
                        options.instances() + " processes with " + options.callers()
                                + " callers each ask for one price, again and again. The backend takes "
                                + Backend.MILLIS
                                + " ms. The last way stops Redis in the middle: nobody may notice.",
                        "An answer is too old if the backend was asked before the caller asked. Latencies are those of the"
                                + " slowest instance."),
                List.of(
                        chart("backend calls a second", measurements, Measurement::backendCallsPerSecond),
                        chart("backend calls for 1 000 answers", measurements, Measurement::callsPerThousand)),
                table(measurements),
                measurements.stream()
                        .filter(one -> !one.isRight())
                        .map(one -> one.way() + ": of " + one.result().answers() + " answers, "
                                + one.result().failed() + " failed and "
                                + one.result().old() + " were too old")
                        .toList());
    }

    private static BarChart chart(String title, List<Measurement> measurements, ToDoubleFunction<Measurement> value) {
        return new BarChart(
                title,
                measurements.stream()
                        .map(one -> new BarChart.Bar(one.way(), value.applyAsDouble(one)))
                        .toList());
    }
}
