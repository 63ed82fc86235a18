package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.HtmlPage;
import io.github.collapseexecutor.figures.LineChart;
import io.github.collapseexecutor.figures.Section;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The results of a load run: charts over the number of users. */
final class LoadPage {

    private LoadPage() {}

    static HtmlPage of(String machine, List<Disk> disks, Duration duration, List<LoadMeasurement> measurements) {
        HtmlPage html = new HtmlPage(
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

    /** The results of the run, for a report: a section for each scenario. */
    static List<Section> sections(String machine, Duration duration, List<LoadMeasurement> measurements) {
        return Stream.of(LoadScenario.values())
                .map(scenario -> section(
                        scenario,
                        machine + "; " + duration.toMillis() / 1e3 + " s for each point.",
                        measurements.stream()
                                .filter(measurement -> measurement.scenario() == scenario)
                                .toList()))
                .toList();
    }

    private static Section section(LoadScenario scenario, String how, List<LoadMeasurement> measurements) {
        return Section.of(
                "Group commit, " + scenario.title(),
                List.of(
                        "Users over HTTP, each of whom asks again as soon as the answer is there. Collapsed, up to 200 share a commit.",
                        "After each measurement the database was asked: what was acknowledged is there, once, and stock and orders add up.",
                        how),
                List.of(
                        chart("a second", measurements, LoadMeasurement::perSecond),
                        chart("p99, ms", measurements, LoadMeasurement::p99Millis),
                        chart("per commit", measurements, LoadMeasurement::requestsPerCommit)),
                new FigureTable(
                        List.of(
                                "way",
                                "disk",
                                "users",
                                "a second",
                                "p50, ms",
                                "p99, ms",
                                "per commit",
                                "statements each"),
                        measurements.stream()
                                .map(one -> List.<Object>of(
                                        one.way().title(),
                                        one.disk().title(),
                                        one.users(),
                                        one.perSecond(),
                                        one.p50Millis(),
                                        one.p99Millis(),
                                        one.requestsPerCommit(),
                                        one.statementsPerRequest()))
                                .toList()),
                measurements.stream()
                        .filter(one -> !one.isCorrect())
                        .map(one -> one.way().title() + ", " + one.users() + " users: " + one.failures()
                                + ", " + one.mistakes() + " mistakes, " + one.acknowledged()
                                + " succeeded")
                        .toList());
    }

    private static List<String> row(LoadMeasurement one) {
        return List.of(
                one.scenario().title(),
                one.way().title(),
                one.disk().title(),
                String.valueOf(one.users()),
                HtmlPage.number("%.0f", one.perSecond()),
                HtmlPage.number("%.1f", one.p50Millis()),
                HtmlPage.number("%.1f", one.p99Millis()),
                HtmlPage.number("%.1f", one.requestsPerCommit()),
                HtmlPage.number("%.2f", one.statementsPerRequest()),
                String.valueOf(one.failed()),
                String.valueOf(one.mistakes()));
    }

    private static LineChart chart(
            String title, List<LoadMeasurement> measurements, ToDoubleFunction<LoadMeasurement> y) {
        return new LineChart(
                title,
                "users",
                Stream.of(LoadScenario.Way.values())
                        .filter(way -> measurements.stream().anyMatch(measurement -> measurement.way() == way))
                        .map(way -> new LineChart.Line(
                                way.title(),
                                measurements.stream()
                                        .filter(measurement -> measurement.way() == way)
                                        .map(measurement -> new LineChart.Point(
                                                String.valueOf(measurement.users()), y.applyAsDouble(measurement)))
                                        .toList(),
                                List.of()))
                        .toList());
    }
}
