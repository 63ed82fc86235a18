package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.figures.HtmlPage;
import io.github.collapseexecutor.figures.LineChart;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The results of ramps: charts over time for each disk, with the number of users that had the most orders a second. */
final class RampPage {

    /** The end of a ramp, for its table. */
    private static final int LAST_SECONDS = 5;

    private RampPage() {}

    static HtmlPage of(String machine, Ramp ramp, List<RampResult> results) {
        HtmlPage html = new HtmlPage(
                "More and more users",
                machine + ". " + ramp.users() + " users come within "
                        + ramp.rise().toMillis() / 1e3
                        + " s, and each orders again as soon as the last order is answered. Users and server are one process.");
        html.paragraph(
                "M is the number of users with the most orders a second, as a mean of " + Peak.SECONDS
                        + " seconds. Where the curve is flat, it moves by chance; the table also has the users that reach 95 %.");
        html.paragraph(
                "Where a disk has an added time, it is added by the data source of the sample, before the commit is"
                        + " sent: one sync at a time, which all commits share that came during the last one.");
        for (Disk disk :
                results.stream().map(one -> one.measurement().disk()).distinct().toList()) {
            section(
                    html,
                    disk,
                    results.stream()
                            .filter(one -> one.measurement().disk().equals(disk))
                            .toList());
        }
        html.heading("Figures");
        html.table(
                List.of(
                        "disk",
                        "way",
                        "M",
                        "TPS there",
                        "95 % with",
                        "mean there, ms",
                        "p99 there, ms",
                        "TPS of the last " + LAST_SECONDS + " s",
                        "p99 of the last second, ms",
                        "orders",
                        "per commit",
                        "failed",
                        "mistakes"),
                results.stream().map(RampPage::row).toList());
        return html;
    }

    private static void section(HtmlPage html, Disk disk, List<RampResult> results) {
        html.heading(disk.title());
        List<LineChart> charts = new ArrayList<>();
        charts.add(chart("active users", results, sample -> OptionalDouble.of(sample.users())));
        charts.add(throughput(results));
        charts.add(chart("mean, ms", results, sample -> OptionalDouble.of(sample.meanMillis())));
        charts.add(chart("p99, ms", results, sample -> OptionalDouble.of(sample.p99Millis())));
        List<String> missing = new ArrayList<>();
        add(charts, missing, "processors of the machine, %", results, RampSample::machine);
        add(
                charts,
                missing,
                "processors of users and server, %",
                results,
                sample -> sample.server().processors());
        add(
                charts,
                missing,
                "processors of the database, %",
                results,
                sample -> sample.database().processors());
        add(
                charts,
                missing,
                "written by the server, MB/s",
                results,
                sample -> sample.server().written());
        add(
                charts,
                missing,
                "written by the database, MB/s",
                results,
                sample -> sample.database().written());
        html.charts(charts);
        if (!missing.isEmpty()) {
            html.paragraph("Not at hand on this system, or for a database that is no process of the sample: "
                    + String.join("; ", missing) + ".");
        }
    }

    private static void add(
            List<LineChart> charts,
            List<String> missing,
            String title,
            List<RampResult> results,
            Function<RampSample, OptionalDouble> y) {
        boolean there = results.stream()
                .allMatch(one -> one.samples().stream()
                        .allMatch(sample -> y.apply(sample).isPresent()));
        if (there) {
            charts.add(chart(title, results, y));
        } else {
            missing.add(title);
        }
    }

    /** Orders a second, with the peak of each way. */
    static LineChart throughput(List<RampResult> results) {
        return chart("TPS", results, sample -> OptionalDouble.of(sample.perSecond()), one -> {
            Peak peak = one.peak();
            return List.of(new LineChart.Mark(peak.index(), HtmlPage.number("M = %.0f users", peak.users())));
        });
    }

    private static LineChart chart(String title, List<RampResult> results, Function<RampSample, OptionalDouble> y) {
        return chart(title, results, y, one -> List.of());
    }

    private static LineChart chart(
            String title,
            List<RampResult> results,
            Function<RampSample, OptionalDouble> y,
            Function<RampResult, List<LineChart.Mark>> marks) {
        return new LineChart(
                title,
                "seconds",
                results.stream()
                        .map(one ->
                                new LineChart.Line(one.measurement().way().title(), points(one, y), marks.apply(one)))
                        .toList());
    }

    private static List<LineChart.Point> points(RampResult one, Function<RampSample, OptionalDouble> y) {
        return one.samples().stream()
                .map(sample -> new LineChart.Point(
                        String.valueOf(sample.second()), y.apply(sample).orElseThrow()))
                .toList();
    }

    private static List<String> row(RampResult one) {
        LoadMeasurement measurement = one.measurement();
        Peak peak = one.peak();
        List<RampSample> samples = one.samples();
        RampSample there = samples.get(peak.index());
        double last = samples.subList(Math.max(0, samples.size() - LAST_SECONDS), samples.size()).stream()
                .mapToDouble(RampSample::perSecond)
                .average()
                .orElseThrow();
        return List.of(
                measurement.disk().title(),
                measurement.way().title(),
                HtmlPage.number("%.0f", peak.users()),
                HtmlPage.number("%.0f", peak.perSecond()),
                HtmlPage.number("%.0f", peak.enoughUsers()),
                HtmlPage.number("%.1f", there.meanMillis()),
                HtmlPage.number("%.1f", there.p99Millis()),
                HtmlPage.number("%.0f", last),
                HtmlPage.number("%.1f", samples.get(samples.size() - 1).p99Millis()),
                String.valueOf(measurement.acknowledged()),
                HtmlPage.number("%.1f", measurement.requestsPerCommit()),
                String.valueOf(measurement.failed()),
                String.valueOf(measurement.mistakes()));
    }
}
