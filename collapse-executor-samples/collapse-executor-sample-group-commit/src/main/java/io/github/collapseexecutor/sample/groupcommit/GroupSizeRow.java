package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.figures.HtmlPage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of the table of group sizes.
 *
 * @param kind how rows were written
 * @param measurement what came of it
 */
record GroupSizeRow(Kind kind, LoadMeasurement measurement) {

    /** How rows are written, with the rows a second that group-commit-demo has for it. */
    enum Kind {
        SINGLE(null, "5200"),
        GROUPS_OF_20(Gathering.GROUPS_OF_20, ""),
        GROUPS_OF_200(Gathering.GROUPS_OF_200, "8800"),
        NO_WINDOW(Gathering.NO_WINDOW, "");

        // immutable
        private final Optional<Gathering> gathering;
        private final String demo;

        Kind(@Nullable Gathering gathering, String demo) {
            this.gathering = Optional.ofNullable(gathering);
            this.demo = demo;
        }

        /** How rows gather; empty if each is written by itself. */
        Optional<Gathering> gathering() {
            return gathering;
        }

        private String title() {
            return gathering.map(Gathering::title).orElse(LoadScenario.Way.PLAIN.title());
        }
    }

    static HtmlPage page(String machine, int users, int requests, List<GroupSizeRow> rows) {
        HtmlPage html = new HtmlPage(
                "Group sizes",
                machine + ". " + users + " users write " + requests + " rows each; every row has to be there, once.");
        html.paragraph(
                "The last column is what group-commit-demo measured with 700 users and 1000 rows each on a machine of ten"
                        + " processors, over 40 connections as here.");
        html.table(
                List.of(
                        "rows",
                        "disk",
                        "TPS",
                        "mean, ms",
                        "p90, ms",
                        "p95, ms",
                        "p99, ms",
                        "connections/s",
                        "statements/s",
                        "rows per commit",
                        "failed",
                        "mistakes",
                        "TPS of group-commit-demo"),
                rows.stream().map(GroupSizeRow::cells).toList());
        return html;
    }

    private List<String> cells() {
        return List.of(
                kind.title(),
                measurement.disk().title(),
                HtmlPage.number("%.0f", measurement.perSecond()),
                HtmlPage.number("%.1f", measurement.meanMillis()),
                HtmlPage.number("%.1f", measurement.millis(90)),
                HtmlPage.number("%.1f", measurement.millis(95)),
                HtmlPage.number("%.1f", measurement.millis(99)),
                HtmlPage.number("%.0f", measurement.perSecond(measurement.connections())),
                HtmlPage.number("%.0f", measurement.perSecond(measurement.statements())),
                HtmlPage.number("%.1f", measurement.requestsPerCommit()),
                String.valueOf(measurement.failed()),
                String.valueOf(measurement.mistakes()),
                kind.demo);
    }

    @Override
    public String toString() {
        return String.join(" | ", cells());
    }
}
