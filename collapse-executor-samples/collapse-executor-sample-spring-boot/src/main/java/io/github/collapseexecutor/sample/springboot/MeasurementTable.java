package io.github.collapseexecutor.sample.springboot;

import java.util.ArrayList;
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

    private static final String GAP = "  ";

    private MeasurementTable() {}

    static String of(List<Measurement> measurements) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        measurements.forEach(measurement -> lines.add(cells(measurement)));
        int[] widths = new int[HEAD.size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        StringBuilder table = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                text.append(column == 0 ? "" : GAP).append(column <= 1 ? cell + padding : padding + cell);
            }
            table.append(text.toString().stripTrailing()).append(System.lineSeparator());
        }
        return table.toString();
    }

    private static List<String> cells(Measurement measurement) {
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
