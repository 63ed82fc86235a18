package io.github.collapseexecutor.sample.springboot.load;

import io.github.collapseexecutor.figures.BarChart;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.LineChart;
import io.github.collapseexecutor.figures.Section;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What came of a scenario, round by round; what is said of a way is of its median round by requests per second. */
final class LoadReport {

    private static final List<BigDecimal> PERCENTILES =
            Stream.of("50", "75", "90", "95", "99", "99.9").map(BigDecimal::new).toList();

    // immutable
    private final LoadScenario scenario;

    // mutable, confined to the thread of the load run
    private final Map<LoadWay, List<LoadMeasurement>> rounds = new EnumMap<>(LoadWay.class);
    private final List<String> mistakes = new ArrayList<>();

    LoadReport(LoadScenario scenario) {
        this.scenario = scenario;
        for (LoadWay way : scenario.ways()) {
            rounds.put(way, new ArrayList<>());
        }
    }

    void add(LoadWay way, LoadMeasurement measurement) {
        all(way).add(measurement);
        if (!measurement.isRight()) {
            mistakes.add(way + ": " + measurement.result().counts());
        }
    }

    /** Takes over what went wrong before: an answer of a server that warms up must be right, too. */
    void warmedUp(LoadReport warmUp) {
        warmUp.mistakes.forEach(mistake -> mistakes.add("warming up, " + mistake));
    }

    private List<LoadMeasurement> all(LoadWay way) {
        return rounds.getOrDefault(way, List.of());
    }

    LoadMeasurement of(LoadWay way) {
        List<LoadMeasurement> sorted = all(way).stream()
                .sorted(Comparator.comparingDouble(
                        measurement -> measurement.result().perSecond()))
                .toList();
        return sorted.get(sorted.size() / 2);
    }

    /** How many times as many requests a second as without collapsing. */
    double ratio(LoadWay way) {
        return ratio(way, LoadWay.OFF);
    }

    /** How many times as many requests a second as another way. */
    double ratio(LoadWay way, LoadWay other) {
        return of(way).result().perSecond() / of(other).result().perSecond();
    }

    /** Whether the last measurements of every way, so many of them, differ by less than a part of the fastest. */
    boolean isSteady(int measurements, double part) {
        return rounds.values().stream().allMatch(all -> {
            List<Double> last = all.stream()
                    .skip(Math.max(0, all.size() - measurements))
                    .map(one -> one.result().perSecond())
                    .sorted()
                    .toList();
            double fastest = last.isEmpty() ? 0 : last.get(last.size() - 1);
            return last.size() >= measurements && fastest - last.get(0) < part * fastest;
        });
    }

    /** The requests a second of each measurement, way by way. */
    String rates() {
        return rounds.entrySet().stream()
                .map(way -> way.getKey() + " "
                        + way.getValue().stream()
                                .map(one -> String.format(
                                        Locale.ROOT, "%.0f", one.result().perSecond()))
                                .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(", "));
    }

    /** Whether nobody got a wrong answer, or none. */
    boolean isRight() {
        return mistakes.isEmpty();
    }

    /**
     * For a report: throughput, runs and the curve of percentiles of each way.
     *
     * @param how how it was measured
     */
    Section section(String how) {
        List<List<Object>> rows = new ArrayList<>();
        for (LoadWay way : scenario.ways()) {
            LoadMeasurement median = of(way);
            rows.add(List.of(
                    way.toString(),
                    ratio(way),
                    median.result().perSecond(),
                    median.p50Millis(),
                    median.result().millis(90),
                    median.p99Millis(),
                    median.result().millis(99.9),
                    median.runsPerThousand(),
                    median.requestsPerRun(),
                    median.processorMicros()));
        }
        return Section.of(
                scenario.title(),
                List.of(how),
                List.of(
                        bars("requests a second", way -> of(way).result().perSecond()),
                        bars("p99, ms", way -> of(way).p99Millis()),
                        bars("calls of 1 000 that reach the backend", way -> of(way).runsPerThousand()),
                        bars("requests answered by one call", way -> of(way).requestsPerRun()),
                        percentiles(),
                        bars("server's processor time for 1 000 requests, ms", way -> of(way).processorMicros())),
                new FigureTable(
                        List.of(
                                "way",
                                "x off",
                                "requests/s",
                                "p50, ms",
                                "p90, ms",
                                "p99, ms",
                                "p99.9, ms",
                                "calls per 1 000",
                                "requests per call",
                                "CPU per 1 000, ms"),
                        rows),
                mistakes);
    }

    private BarChart bars(String title, ToDoubleFunction<LoadWay> value) {
        return new BarChart(
                title,
                scenario.ways().stream()
                        .map(way -> new BarChart.Bar(way.toString(), value.applyAsDouble(way)))
                        .toList());
    }

    private LineChart percentiles() {
        return new LineChart(
                "what answers take at most, ms",
                "of 100 answers",
                scenario.ways().stream()
                        .map(way -> new LineChart.Line(
                                way.toString(),
                                PERCENTILES.stream()
                                        .map(percent -> new LineChart.Point(
                                                percent.toString(),
                                                of(way).result().millis(percent.doubleValue())))
                                        .toList(),
                                List.of()))
                        .toList());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s, %d connections%n%-15s%8s%12s%10s%10s%16s%14s%8s%8s%n",
                scenario.title(),
                scenario.connections(),
                "",
                "x off",
                "requests/s",
                "p50 ms",
                "p99 ms",
                "runs per 1 000",
                "server CPU µs",
                "wrong",
                "failed"));
        for (LoadWay way : scenario.ways()) {
            LoadMeasurement median = of(way);
            text.append(String.format(
                    Locale.ROOT,
                    "%-15s%8.3f%12.0f%10.1f%10.1f%16.1f%14.1f%8d%8d   rounds:",
                    way,
                    ratio(way),
                    median.result().perSecond(),
                    median.p50Millis(),
                    median.p99Millis(),
                    median.runsPerThousand(),
                    all(way).stream()
                            .mapToDouble(LoadMeasurement::processorMicros)
                            .sorted()
                            .skip(all(way).size() / 2)
                            .findFirst()
                            .orElseThrow(),
                    all(way).stream().mapToLong(one -> one.result().wrong()).sum(),
                    all(way).stream().mapToLong(one -> one.result().failed()).sum()));
            all(way).forEach(one -> text.append(String.format(
                    Locale.ROOT,
                    " %.0f/s (p99 %.1f ms, %.1f µs)",
                    one.result().perSecond(),
                    one.p99Millis(),
                    one.processorMicros())));
            text.append(System.lineSeparator());
        }
        for (LoadGoal goal : scenario.goals()) {
            text.append(goal.isMet().test(this) ? "  met:    " : "  missed: ")
                    .append(goal.text())
                    .append(System.lineSeparator());
        }
        return text.toString();
    }
}
