package io.github.collapseexecutor.sample.groupcommit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What a load run came to, as a page that needs nothing but a browser: charts, and the figures below them. */
final class LoadPage {

    private LoadPage() {}

    static String of(String database, Duration duration, List<LoadMeasurement> measurements) {
        StringBuilder html = new StringBuilder();
        html.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>One by one and collapsed</title>
                <style>
                body { font: 15px system-ui, "DejaVu Sans", sans-serif; margin: 2em; color: #24292f; background: #fff; }
                table { border-collapse: collapse; }
                td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #d0d7de; }
                td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
                svg { margin: 0 12px 12px 0; }
                </style>
                </head>
                <body>
                <h1>One by one and collapsed</h1>
                """);
        html.append("<p>").append(escaped(database)).append(", ").append(processors());
        html.append(" processors, for users, server and, where it is embedded, database; ");
        html.append(duration.toMillis() / 1e3).append(" s for each point.</p>\n");
        for (LoadScenario scenario : LoadScenario.values()) {
            List<LoadMeasurement> part = measurements.stream()
                    .filter(measurement -> measurement.scenario() == scenario)
                    .toList();
            html.append("<h2>").append(escaped(scenario.title())).append("</h2>\n<div>\n");
            html.append(chart("TPS", part, LoadMeasurement::perSecond));
            html.append(chart("p50, ms", part, LoadMeasurement::p50Millis));
            html.append(chart("p99, ms", part, LoadMeasurement::p99Millis));
            html.append(
                    scenario.isOrder()
                            ? chart("statements per order", part, LoadMeasurement::statementsPerRequest)
                            : chart("rows per commit", part, LoadMeasurement::requestsPerCommit));
            html.append("</div>\n");
        }
        html.append(
                "<h2>Figures</h2>\n<table>\n<tr><th>what</th><th>way</th><th>users</th><th>TPS</th><th>p50, ms</th>");
        html.append(
                "<th>p99, ms</th><th>per commit</th><th>statements each</th><th>failed</th><th>mistakes</th></tr>\n");
        for (LoadMeasurement one : measurements) {
            html.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%s</td><td>%s</td><td>%d</td><td>%.0f</td><td>%.1f</td><td>%.1f</td><td>%.1f</td>"
                            + "<td>%.2f</td><td>%d</td><td>%d</td></tr>%n",
                    escaped(one.scenario().title()),
                    one.way().title(),
                    one.users(),
                    one.perSecond(),
                    one.p50Millis(),
                    one.p99Millis(),
                    one.requestsPerCommit(),
                    one.statementsPerRequest(),
                    one.failed(),
                    one.mistakes()));
        }
        return html.append("</table>\n</body>\n</html>\n").toString();
    }

    private static String chart(String title, List<LoadMeasurement> measurements, ToDoubleFunction<LoadMeasurement> y) {
        return new LoadChart(
                        title,
                        Stream.of(LoadScenario.Way.values())
                                .filter(way -> measurements.stream().anyMatch(measurement -> measurement.way() == way))
                                .map(way -> new LoadChart.Line(
                                        way.title(),
                                        measurements.stream()
                                                .filter(measurement -> measurement.way() == way)
                                                .map(measurement -> new LoadChart.Point(
                                                        measurement.users(), y.applyAsDouble(measurement)))
                                                .toList()))
                                .toList())
                .toSvg();
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
