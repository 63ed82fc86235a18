package io.github.collapseexecutor.sample.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes measurements as lines of aligned columns. */
final class MeasurementTable {

    private static final List<String> HEAD = List.of(
            "numbers of", "collapsing", "callers", "numbers", "round trips", "per 1 000", "numbers/s", "repeated");

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
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                table.append(column == 0 ? "" : "  ").append(column <= 1 ? cell + padding : padding + cell);
            }
            table.append(System.lineSeparator());
        }
        return table.toString();
    }

    private static List<String> cells(Measurement measurement) {
        return List.of(
                measurement.source(),
                measurement.collapsing() ? "with" : "without",
                String.valueOf(measurement.callers()),
                String.valueOf(measurement.numbers()),
                String.valueOf(measurement.roundTrips()),
                String.format(Locale.ROOT, "%.0f", measurement.roundTripsPerThousand()),
                String.format(Locale.ROOT, "%.0f", measurement.numbersPerSecond()),
                String.valueOf(measurement.repeated()));
    }
}
