package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures the ways to send beside each other in one run, and prints a table of goals and one of figures.
 *
 * <p>Everything is measured in rounds: in each, every way has its turn, with a client and a server of its own, and every
 * second round goes backwards, so that a machine that becomes slower or faster does so for all. A ratio is that of two
 * turns of the same round; it and every figure is the median over the rounds. Many short rounds say more than a few long
 * ones: a virtual machine's speed changes within a second, by more than the ways differ. Client, server and callers are one
 * process.
 *
 * <p>Arguments: how many rounds (30), and milliseconds to measure each turn for (250). The exit status is 1 if a goal is
 * missed.
 */
public final class SendingBenchmark {

    private static final int[] THREADS = {1, 8, 16, 256};
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    // immutable
    private final int rounds;
    private final Duration turn;
    private final StringBuilder goals =
            new StringBuilder("| Goal | measured | middle half of the rounds | met |\n|---|---|---|---|\n");
    private final StringBuilder figures = new StringBuilder(SendingFigures.HEADING);

    // mutable, confined to the measuring thread
    private boolean allMet = true;

    SendingBenchmark(int rounds, Duration turn) {
        this.rounds = rounds;
        this.turn = turn;
    }

    /**
     * Measures and prints.
     *
     * @param args how many rounds, and milliseconds for each turn
     */
    public static void main(String[] args) throws Exception {
        SendingBenchmark benchmark = new SendingBenchmark(
                number(args, 0, "rounds", 30), Duration.ofMillis(number(args, 1, "milliseconds", 250)));
        for (int threads : new int[] {256, 16, 1}) {
            for (SendingWay way : SendingWay.values()) { // so that no way has the compiler work for it alone
                var unused = SendingLoad.run(way, threads, WARM_UP);
            }
        }
        System.out.print(benchmark.run(THREADS));
        System.exit(benchmark.allMet ? 0 : 1);
    }

    /** A number among the arguments, or the default if there are not so many. */
    private static int number(String[] args, int index, String name, int byDefault) {
        String value = args.length > index ? args[index] : Integer.toString(byDefault);
        if (!value.matches("[1-9]\\d{0,6}")) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a number from 1 to 9999999");
        }
        return Integer.parseInt(value);
    }

    String run(int... threadCounts) throws Exception {
        for (int threads : threadCounts) {
            measure(threads);
        }
        return String.format(
                Locale.ROOT,
                "JDK %s, processors: %d, rounds: %d, milliseconds a turn: %d%n%n%s%n%s",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                rounds,
                turn.toMillis(),
                goals,
                figures);
    }

    private void measure(int threads) throws Exception {
        Map<SendingWay, List<SendingFigures>> measured = new EnumMap<>(SendingWay.class);
        List<SendingWay> turns = new ArrayList<>(List.of(SendingWay.values()));
        for (int round = 0; round < rounds; round++) {
            for (SendingWay way : turns) {
                measured.computeIfAbsent(way, each -> new ArrayList<>()).add(SendingLoad.run(way, threads, turn));
            }
            Collections.reverse(turns);
        }
        measured.forEach(
                (way, each) -> figures.append(SendingFigures.median(each).row(threads, way, turn.toMillis() / 1e3)));
        for (SendingWay other : List.of(SendingWay.UNMERGED, SendingWay.POLLED)) {
            if (threads >= 16) {
                judge(threads, "processor time a call", SendingFigures::processorMicrosPerCall, measured, other, 1);
            }
            if (threads == 256) {
                judge(threads, "p99", SendingFigures::p99Micros, measured, other, 1);
            }
        }
        if (threads == 1) {
            judge(threads, "p50", SendingFigures::p50Micros, measured, SendingWay.UNMERGED, 1.05);
        }
    }

    private void judge(
            int threads,
            String name,
            ToDoubleFunction<SendingFigures> figure,
            Map<SendingWay, List<SendingFigures>> measured,
            SendingWay other,
            double most) {
        List<SendingFigures> ours = requireNonNull(measured.get(SendingWay.MERGED));
        List<SendingFigures> theirs = requireNonNull(measured.get(other));
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            ratios[round] = figure.applyAsDouble(ours.get(round)) / figure.applyAsDouble(theirs.get(round));
        }
        Arrays.sort(ratios);
        double ratio = SendingFigures.median(ratios);
        boolean met = ratio <= most;
        allMet &= met;
        goals.append(String.format(
                Locale.ROOT,
                "| threads: %d, %s: merged at most %.2f of %s | %.2f | %.2f–%.2f | %s |%n",
                threads,
                name,
                most,
                other,
                ratio,
                ratios[rounds / 4],
                ratios[rounds - 1 - rounds / 4],
                met ? "yes" : "**no**"));
    }
}
