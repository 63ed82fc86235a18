package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.ListStatistics;

/**
 * The measurement of seed 004: a sender for each kind of message against one for both, of 8 and 16 threads, in every {@link SendingWay}.
 *
 * <p>{@link SendersBenchmark} is run by JMH in rounds: in each, every row has a JVM of its own, and every second round goes backwards, so that
 * a machine that becomes slower or faster does so for all rows. An error is that of JMH, 99.9 % of all iterations' mean.
 *
 * <p>Arguments: how many rounds (5), and of how many threads, with commas (8,16).
 */
public final class SendersComparison {

    private static final double CONFIDENCE = 0.999;
    private static final int UNSAFE_WARNS_SINCE = 24;

    /** What the seed has measured, one sender ÷ two, by threads. */
    private static final Map<Integer, String> SEED = Map.of(8, "0.73", 16, "0.81");

    /** A row of the benchmark. */
    record Row(SendingWay way, int senders) {}

    // immutable
    private final int rounds;
    private final ChainedOptionsBuilder options;
    private final StringBuilder table = new StringBuilder("""
            | Threads | Way | two senders | one sender | one ÷ two | beyond the errors | seed: one ÷ two |
            |---|---|---|---|---|---|---|
            """);

    SendersComparison(int rounds, ChainedOptionsBuilder options) {
        this.rounds = rounds;
        this.options = options;
    }

    /**
     * Measures and prints.
     *
     * @param args how many rounds, and of how many threads
     */
    public static void main(String[] args) throws Exception {
        int rounds = number("rounds", args.length > 0 ? args[0] : "5");
        int[] threads = Stream.of((args.length > 1 ? args[1] : "8,16").split(","))
                .mapToInt(each -> number("threads", each))
                .toArray();
        ChainedOptionsBuilder forked = new OptionsBuilder().forks(1);
        if (Runtime.version().feature() >= UNSAFE_WARNS_SINCE) {
            forked.jvmArgsAppend("--sun-misc-unsafe-memory-access=allow"); // the harness's and Netty's
        }
        System.out.print(new SendersComparison(rounds, forked).run(threads));
    }

    private static int number(String name, String value) {
        if (!value.matches("[1-9]\\d{0,3}")) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a number from 1 to 9999");
        }
        return Integer.parseInt(value);
    }

    String run(int... threadCounts) throws RunnerException {
        for (int threads : threadCounts) {
            measure(threads);
        }
        return String.format(
                Locale.ROOT,
                "JDK %s, processors: %d, rounds: %d; microseconds an operation, which is a call of each kind%n%n%s",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                rounds,
                table);
    }

    private void measure(int threads) throws RunnerException {
        Map<Row, List<Double>> scores = new LinkedHashMap<>();
        List<Row> turns = new ArrayList<>();
        for (SendingWay way : SendingWay.values()) {
            turns.add(new Row(way, 2));
            turns.add(new Row(way, 1));
        }
        for (int round = 0; round < rounds; round++) {
            for (Row row : turns) {
                scores.computeIfAbsent(row, each -> new ArrayList<>()).addAll(iterations(row, threads));
            }
            Collections.reverse(turns);
        }
        for (SendingWay way : SendingWay.values()) {
            table.append(line(threads, way, statistics(scores, new Row(way, 2)), statistics(scores, new Row(way, 1))));
        }
    }

    private List<Double> iterations(Row row, int threads) throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .parent(options.build())
                        .include("^" + SendersBenchmark.class.getName().replace(".", "\\.") + "\\.")
                        .param("way", row.way().name())
                        .param("senders", Integer.toString(row.senders()))
                        .threads(threads)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle();
        List<Double> scores = new ArrayList<>();
        for (IterationResult each : result.getAggregatedResult().getIterationResults()) {
            scores.add(each.getPrimaryResult().getScore());
        }
        return scores;
    }

    private static ListStatistics statistics(Map<Row, List<Double>> scores, Row row) {
        ListStatistics statistics = new ListStatistics();
        requireNonNull(scores.get(row)).forEach(statistics::addValue);
        return statistics;
    }

    static String line(int threads, SendingWay way, ListStatistics two, ListStatistics one) {
        double difference = Math.abs(one.getMean() - two.getMean());
        boolean isBeyond = difference > one.getMeanErrorAt(CONFIDENCE) + two.getMeanErrorAt(CONFIDENCE);
        return String.format(
                Locale.ROOT,
                "| %d | %s | %.0f ± %.0f µs | %.0f ± %.0f µs | %.2f | %s | %s |%n",
                threads,
                way,
                two.getMean(),
                two.getMeanErrorAt(CONFIDENCE),
                one.getMean(),
                one.getMeanErrorAt(CONFIDENCE),
                one.getMean() / two.getMean(),
                isBeyond ? "yes" : "no",
                SEED.getOrDefault(threads, ""));
    }
}
