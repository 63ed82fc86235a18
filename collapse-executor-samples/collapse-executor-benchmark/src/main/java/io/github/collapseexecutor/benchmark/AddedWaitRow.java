package io.github.collapseexecutor.benchmark;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.AbstractHistogram;

/**
 * What was measured for calls of one duration and callers that come in one way; times in microseconds.
 *
 * @param late by how much callers called later than they were to, at the 99th percentile
 * @param executions calls that reached the backend, of 1 000
 * @param bound the ratio of what the call takes: the bound of a caller that finds a call about to end
 * @param timer by how much a timer of this machine was late beside them
 * @param within the shares of callers that waited no longer than their bound and as much longer as the timer was late: in
 *     the median, at the 99th percentile, and at its worst
 */
record AddedWaitRow(
        long callMicros,
        String arrivals,
        long callers,
        double late,
        double executions,
        Spread added,
        double bound,
        Spread timer,
        List<Double> within) {

    static final String HEADING = """
            | call | callers | late p99 | executions per 1 000 calls | added wait p50 | p99 | max | bound | timer late p50 | p99 | max | within bound and timer's p50 | p99 | max |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
            """;

    /** A distribution of times, in microseconds. */
    record Spread(double p50, double p99, double max) {

        static Spread of(AbstractHistogram nanos) {
            return new Spread(
                    micros(nanos.getValueAtPercentile(50)),
                    micros(nanos.getValueAtPercentile(99)),
                    micros(nanos.getMaxValue()));
        }

        private String toMarkdown() {
            return AddedWaitRow.micros(p50) + " | " + AddedWaitRow.micros(p99) + " | " + AddedWaitRow.micros(max);
        }
    }

    static AddedWaitRow of(
            long callMicros, String arrivals, double ratio, WaitTally tally, long executions, TimerSlack timer) {
        return new AddedWaitRow(
                callMicros,
                arrivals,
                tally.wait.getTotalCount(),
                micros(tally.late.getValueAtPercentile(99)),
                1_000.0 * executions / tally.wait.getTotalCount(),
                Spread.of(tally.wait),
                ratio * callMicros,
                Spread.of(timer.late),
                List.of(
                        tally.shareWithin(timer.late.getValueAtPercentile(50)),
                        tally.shareWithin(timer.late.getValueAtPercentile(99)),
                        tally.shareWithin(timer.late.getMaxValue())));
    }

    String toMarkdown() {
        return String.format(
                Locale.ROOT,
                "| %s ms | %s | %s | %s | %s | %s | %s | %s |%n",
                Verdict.plain(callMicros / 1_000.0),
                arrivals,
                micros(late),
                Verdict.plain(executions),
                added.toMarkdown(),
                micros(bound),
                timer.toMarkdown(),
                within.stream()
                        .map(share -> String.format(Locale.ROOT, "%.2f %%", 100 * share))
                        .collect(Collectors.joining(" | ")));
    }

    private static double micros(long nanos) {
        return (double) nanos / TimeUnit.MICROSECONDS.toNanos(1);
    }

    private static String micros(double micros) {
        return Verdict.plain(micros) + " µs";
    }

    /** The added wait over the duration of the call. */
    static LineChart chart(List<AddedWaitRow> rows, double ratio) {
        Map<Long, List<AddedWaitRow>> byCall =
                rows.stream().collect(groupingBy(AddedWaitRow::callMicros, LinkedHashMap::new, Collectors.toList()));
        List<AddedWaitRow> one =
                byCall.values().stream().map(calls -> calls.get(0)).toList();
        List<LineChart.Line> lines = new ArrayList<>();
        rows.stream()
                .collect(groupingBy(AddedWaitRow::arrivals, LinkedHashMap::new, Collectors.toList()))
                .forEach((arrivals, measured) -> lines.add(line(arrivals, false, measured, row -> row.added.p99)));
        lines.add(line("bound", true, one, AddedWaitRow::bound));
        lines.add(line(
                "bound and timer's p99",
                true,
                one,
                row -> row.bound
                        + byCall.getOrDefault(row.callMicros, List.of()).stream()
                                .mapToDouble(each -> each.timer.p99)
                                .max()
                                .orElseThrow()));
        return new LineChart(
                "Added wait of callers (99th percentile), maxWaitRatio " + Verdict.plain(ratio),
                "what the call takes, ms",
                "added wait, µs",
                lines);
    }

    private static LineChart.Line line(
            String name, boolean reference, List<AddedWaitRow> rows, ToDoubleFunction<AddedWaitRow> value) {
        return new LineChart.Line(
                name,
                reference,
                rows.stream()
                        .map(row -> new LineChart.Point(row.callMicros / 1_000.0, value.applyAsDouble(row)))
                        .toList());
    }
}
