package io.github.collapseexecutor.sample.groupcommit.comparison;

import io.github.collapseexecutor.figures.BarChart;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.Machine;
import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Measures writes one by one, through a {@linkplain HomeMadeQueue home-made queue} and as a group: in turn, in one JVM and over the same pool. It takes
 * what {@link ComparisonOptions} lists, and prints the ratio of group commit to the other ways first. It fails if a row was lost or written twice.
 */
public final class WriteComparison {

    private static final List<String> COLUMNS = List.of(
            "what",
            "on",
            "callers",
            "way",
            "× of group commit",
            "per second",
            "processor µs",
            "p50 ms",
            "p99 ms",
            "rounds, per second");
    private static final int WORDS = 2;
    private static final int CALLERS_TO_WARM_UP = 50;

    private WriteComparison() {}

    /** Runs it. The exit status is 1 if anything was lost. */
    public static void main(String[] arguments) throws Exception {
        ComparisonOptions options = ComparisonOptions.parse(arguments);
        System.out.println(Machine.description());
        Section section = compare(options);
        SectionFile.offer(List.of(section));
        section.mistakes().forEach(System.out::println);
        System.exit(section.mistakes().isEmpty() ? 0 : 1);
    }

    static Section compare(ComparisonOptions options) throws Exception {
        List<List<Object>> rows = new ArrayList<>();
        List<BarChart> charts = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (ComparedDatabase database : options.databases()) {
            try (ComparedDatabase.Running running = database.start()) {
                for (ComparedWork work : options.works()) {
                    if (!work.isFor(database)) {
                        continue;
                    }
                    try (Ways ways = work.on(running)) {
                        compare(options, List.of(work, database), ways, rows, charts);
                        long difference = ways.difference();
                        if (difference != 0) {
                            mistakes.add(work + " on " + database + ": the database has " + difference
                                    + " more than were written (if negative, fewer)");
                        }
                    }
                }
            }
        }
        return Section.of(
                "Rows beside a home-made queue",
                List.of(
                        "Callers write without a pause, one statement after the other: each by itself, through a queue that one thread writes in"
                                + " batches, and by group commit, with a transaction for each batch or with the commit in the statement. Each number"
                                + " is the median of its rounds, and × is the throughput of group commit, of that way's.",
                        "The goals beside the queue, from 50 callers on, are 1.0 on MariaDB, and 1.2, 1.2 and 1.5 on PostgreSQL with 50, 200 and 400."),
                charts,
                new FigureTable(COLUMNS, rows),
                mistakes);
    }

    /** Measures all ways in turn, each round in another order. */
    private static void compare(
            ComparisonOptions options, List<Object> what, Ways ways, List<List<Object>> rows, List<BarChart> charts)
            throws Exception {
        for (Ways.Way way : ways.all()) {
            MeasuredRound unused = MeasuredRound.of(CALLERS_TO_WARM_UP, options.warmUp(), way.write());
        }
        for (int callers : options.callers()) {
            List<Measured> order = new ArrayList<>();
            ways.all().forEach(way -> order.add(new Measured(way, new ArrayList<>())));
            List<Measured> all = List.copyOf(order);
            for (int round = 0; round < options.rounds(); round++) {
                for (Measured one : order) {
                    one.rounds()
                            .add(MeasuredRound.of(
                                    callers, options.milliseconds(), one.way().write()));
                }
                order.add(order.remove(0));
            }
            List<List<Object>> measured = rows(what, callers, all);
            rows.addAll(measured);
            charts.add(new BarChart(
                    what.get(0) + " a second, " + what.get(1) + ", " + callers + " callers",
                    all.stream()
                            .map(one -> new BarChart.Bar(one.way().name(), one.median(MeasuredRound::perSecond)))
                            .toList()));
            System.out.print(new FigureTable(COLUMNS, measured).aligned(WORDS));
        }
    }

    private static List<List<Object>> rows(List<Object> what, int callers, List<Measured> all) {
        double group = all.stream()
                .filter(one -> one.way().name().equals(Ways.GROUP))
                .findFirst()
                .orElseThrow()
                .median(MeasuredRound::perSecond);
        return all.stream()
                .map(one -> List.<Object>of(
                        what.get(0),
                        what.get(1),
                        callers,
                        one.way().name(),
                        group / one.median(MeasuredRound::perSecond),
                        one.median(MeasuredRound::perSecond),
                        one.median(MeasuredRound::processorMicros),
                        one.median(MeasuredRound::p50),
                        one.median(MeasuredRound::p99),
                        one.rounds().stream()
                                .map(round -> Math.round(round.perSecond()))
                                .toList()
                                .toString()))
                .toList();
    }

    private record Measured(Ways.Way way, List<MeasuredRound> rounds) {

        double median(ToDoubleFunction<MeasuredRound> figure) {
            return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
        }
    }
}
