package io.github.collapseexecutor.sample.rpcmerge;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The result of one way of sending; an operation is one call of each of two types, one after the other.
 *
 * @param operations how many were measured
 * @param averageMicros how long an operation took
 * @param p50Micros the same, of the median
 * @param p99Micros the same, of the slowest hundredth at best
 * @param framesPerCall frames of requests and of answers for a call: 2 if nothing is merged
 * @param processorMicrosPerCall what client, server and callers used of the processors for a call
 */
record SendingFigures(
        double operations,
        double averageMicros,
        double p50Micros,
        double p99Micros,
        double framesPerCall,
        double processorMicrosPerCall) {

    static final String HEADING = """
            | Threads | Way | operations a second | average | p50 | p99 | frames a call | processor time a call |
            |---|---|---|---|---|---|---|---|
            """;

    static SendingFigures median(List<SendingFigures> rounds) {
        return new SendingFigures(
                median(rounds, SendingFigures::operations),
                median(rounds, SendingFigures::averageMicros),
                median(rounds, SendingFigures::p50Micros),
                median(rounds, SendingFigures::p99Micros),
                median(rounds, SendingFigures::framesPerCall),
                median(rounds, SendingFigures::processorMicrosPerCall));
    }

    private static double median(List<SendingFigures> rounds, ToDoubleFunction<SendingFigures> figure) {
        return median(rounds.stream().mapToDouble(figure).toArray());
    }

    static double median(double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    String row(int threads, SendingWay way, double seconds) {
        return String.format(
                Locale.ROOT,
                "| %d | %s | %.0f | %.0f µs | %.0f µs | %.0f µs | %.3f | %.1f µs |%n",
                threads,
                way,
                operations / seconds,
                averageMicros,
                p50Micros,
                p99Micros,
                framesPerCall,
                processorMicrosPerCall);
    }
}
