package io.github.collapseexecutor.sample.sequence;

import io.github.collapseexecutor.figures.BarChart;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.Section;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Measurements as a table for a terminal, and as a section of a report. */
final class SequenceReport {

    private SequenceReport() {}

    static FigureTable table(List<Measurement> measurements) {
        return new FigureTable(
                List.of(
                        "numbers of",
                        "collapsing",
                        "callers",
                        "numbers",
                        "round trips",
                        "per 1 000",
                        "numbers/s",
                        "repeated"),
                measurements.stream()
                        .map(one -> List.<Object>of(
                                one.source(),
                                way(one),
                                one.callers(),
                                one.numbers(),
                                one.roundTrips(),
                                Math.round(one.roundTripsPerThousand()),
                                Math.round(one.numbersPerSecond()),
                                one.repeated()))
                        .toList());
    }

    static Section section(String database, List<Measurement> measurements) {
        return Section.of(
                "Numbers of a sequence",
                List.of(
                        "Callers take numbers of " + database
                                + ", each by a round trip of its own (without), and together (with). No number may come twice."),
                List.of(
                        chart("numbers a second, most callers", measurements, Measurement::numbersPerSecond),
                        chart("round trips for 1 000 numbers", measurements, Measurement::roundTripsPerThousand)),
                table(measurements),
                measurements.stream()
                        .filter(one -> one.repeated() > 0)
                        .map(one -> one.source() + ", " + one.callers() + " callers: " + one.repeated()
                                + " numbers came twice")
                        .toList());
    }

    /** The ways of the measurements with the most callers. */
    private static BarChart chart(String title, List<Measurement> measurements, ToDoubleFunction<Measurement> value) {
        int most = measurements.stream().mapToInt(Measurement::callers).max().orElseThrow();
        return new BarChart(
                title,
                measurements.stream()
                        .filter(one -> one.callers() == most)
                        .map(one -> new BarChart.Bar(one.source() + ", " + way(one), value.applyAsDouble(one)))
                        .toList());
    }

    private static String way(Measurement one) {
        return one.collapsing() ? "with" : "without";
    }
}
