package io.github.collapseexecutor.sample.groupcommit;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What a load run came to: charts over the number of users. */
final class LoadPage {

    private LoadPage() {}

    static LoadHtml of(String machine, List<Disk> disks, Duration duration, List<LoadMeasurement> measurements) {
        LoadHtml html = new LoadHtml(
                "One by one and collapsed",
                machine + "; for users, server and, where it is embedded, database; " + duration.toMillis() / 1e3
                        + " s for each point.");
        for (Disk disk : disks) {
            for (LoadScenario scenario : LoadScenario.values()) {
                List<LoadMeasurement> part = measurements.stream()
                        .filter(measurement -> measurement.disk().equals(disk) && measurement.scenario() == scenario)
                        .toList();
                html.heading(scenario.title() + ": " + disk.title());
                html.charts(List.of(
                        chart("TPS", part, LoadMeasurement::perSecond),
                        chart("p50, ms", part, LoadMeasurement::p50Millis),
                        chart("p99, ms", part, LoadMeasurement::p99Millis),
                        scenario.isOrder()
                                ? chart("statements per order", part, LoadMeasurement::statementsPerRequest)
                                : chart("rows per commit", part, LoadMeasurement::requestsPerCommit)));
            }
        }
        html.heading("Figures");
        html.table(
                List.of(
                        "what",
                        "way",
                        "disk",
                        "users",
                        "TPS",
                        "p50, ms",
                        "p99, ms",
                        "per commit",
                        "statements each",
                        "failed",
                        "mistakes"),
                measurements.stream().map(LoadPage::row).toList());
        return html;
    }

    private static List<String> row(LoadMeasurement one) {
        return List.of(
                one.scenario().title(),
                one.way().title(),
                one.disk().title(),
                String.valueOf(one.users()),
                LoadHtml.number("%.0f", one.perSecond()),
                LoadHtml.number("%.1f", one.p50Millis()),
                LoadHtml.number("%.1f", one.p99Millis()),
                LoadHtml.number("%.1f", one.requestsPerCommit()),
                LoadHtml.number("%.2f", one.statementsPerRequest()),
                String.valueOf(one.failed()),
                String.valueOf(one.mistakes()));
    }

    private static LoadChart chart(
            String title, List<LoadMeasurement> measurements, ToDoubleFunction<LoadMeasurement> y) {
        return new LoadChart(
                title,
                "users",
                Stream.of(LoadScenario.Way.values())
                        .filter(way -> measurements.stream().anyMatch(measurement -> measurement.way() == way))
                        .map(way -> new LoadChart.Line(
                                way.title(),
                                measurements.stream()
                                        .filter(measurement -> measurement.way() == way)
                                        .map(measurement ->
                                                new LoadChart.Point(measurement.users(), y.applyAsDouble(measurement)))
                                        .toList(),
                                List.of()))
                        .toList());
    }
}
