package io.github.collapseexecutor.sample.springboot.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What came of a scenario, round by round; what is said of a way is of its median round by requests per second. */
final class LoadReport {

    // immutable
    private final LoadScenario scenario;

    // mutable, confined to the thread of the load run
    private final Map<LoadWay, List<LoadMeasurement>> rounds = new EnumMap<>(LoadWay.class);

    LoadReport(LoadScenario scenario) {
        this.scenario = scenario;
        for (LoadWay way : scenario.ways()) {
            rounds.put(way, new ArrayList<>());
        }
    }

    void add(LoadWay way, LoadMeasurement measurement) {
        all(way).add(measurement);
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
        return rounds.values().stream()
                .flatMap(List::stream)
                .allMatch(measurement -> measurement.result().wrong() == 0
                        && measurement.result().failed() == 0
                        && measurement.result().all() > 0);
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
