package io.github.collapseexecutor.sample.springboot;

import io.github.collapseexecutor.figures.FigureTable;
import java.util.List;
import java.util.Locale;

/** Writes measurements as lines of aligned columns. */
final class MeasurementTable {

    private static final List<String> HEAD = List.of(
            "who asks for what",
            "collapsing",
            "callers",
            "calls",
            "backend calls",
            "per 1 000",
            "p50",
            "p99",
            "wrong answers");

    private MeasurementTable() {}

    static String of(List<Measurement> measurements) {
        return new FigureTable(
                        HEAD, measurements.stream().map(MeasurementTable::cells).toList())
                .aligned(2);
    }

    private static List<Object> cells(Measurement measurement) {
        return List.of(
                measurement.demonstration(),
                measurement.collapsing() ? "with" : "without",
                String.valueOf(measurement.callers()),
                String.valueOf(measurement.calls()),
                String.valueOf(measurement.backendCalls()),
                String.format(Locale.ROOT, "%.0f", measurement.backendCallsPerThousand()),
                millis(measurement.p50Nanos()),
                millis(measurement.p99Nanos()),
                String.valueOf(measurement.wrongAnswers()));
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
