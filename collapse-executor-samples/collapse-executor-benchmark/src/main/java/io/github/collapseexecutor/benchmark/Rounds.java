package io.github.collapseexecutor.benchmark;

import static io.github.collapseexecutor.benchmark.Verdict.plain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The results of several ways that were measured in turn.
 *
 * @param work what was measured
 * @param perRound the figures of each way, by its name
 */
record Rounds(String work, List<Map<String, Figures>> perRound) {

    static final String HEADING = """
            | Work | Way | calls a second, or ns a call | p50 | p99 | executions per 1 000 calls | bytes a call |
            |---|---|---|---|---|---|---|
            """;

    static Rounds run(String work, int rounds, List<Fork> forks, int seconds) throws RunnerException {
        List<Map<String, Figures>> perRound = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Fork> turns = new ArrayList<>(forks);
            if (round % 2 == 0) {
                Collections.reverse(turns);
            }
            Map<String, Figures> figures = new LinkedHashMap<>();
            for (Fork fork : turns) {
                Figures measured = fork.run(seconds);
                figures.put(fork.way, measured);
                System.err.printf(
                        "%s, round %d of %d, %s: %s%n", work, round, rounds, fork.way, plain(measured.score()));
            }
            perRound.add(figures);
        }
        return new Rounds(work, perRound);
    }

    Verdict ratio(String figure, Verdict.Goal goal, ToDoubleFunction<Figures> of, Way ours, Way peer) {
        return verdict(figure, goal, of, ours.name(), (a, b) -> a / b, peer.name());
    }

    Verdict figure(String figure, Verdict.Goal goal, ToDoubleFunction<Figures> of, Way ours) {
        return verdict(figure, goal, of, ours.name(), (a, b) -> a, ours.name());
    }

    Verdict verdict(
            String figure,
            Verdict.Goal goal,
            ToDoubleFunction<Figures> of,
            String ours,
            DoubleBinaryOperator compare,
            String peer) {
        List<Double> compared = perRound.stream()
                .map(round ->
                        compare.applyAsDouble(of.applyAsDouble(of(round, ours)), of.applyAsDouble(of(round, peer))))
                .toList();
        String raw = ours.equals(peer) ? "" : plain(median(ours, of)) + " and " + plain(median(peer, of));
        return new Verdict(work, figure, goal, compared, raw);
    }

    /** A row of figures for each way, medians over the rounds. */
    String rows() {
        StringBuilder rows = new StringBuilder();
        for (String way : perRound.get(0).keySet()) {
            rows.append("| ")
                    .append(String.join(
                            " | ",
                            work,
                            way,
                            plain(median(way, Figures::score)),
                            micros(median(way, Figures::p50)),
                            micros(median(way, Figures::p99)),
                            plain(median(way, Figures::executions)),
                            plain(median(way, Figures::bytes))))
                    .append(" |\n");
        }
        return rows.toString();
    }

    private static String micros(double figure) {
        return Double.isNaN(figure) ? "" : plain(figure) + " µs";
    }

    private double median(String way, ToDoubleFunction<Figures> of) {
        return Verdict.median(perRound.stream()
                .mapToDouble(round -> of.applyAsDouble(of(round, way)))
                .toArray());
    }

    private static Figures of(Map<String, Figures> round, String way) {
        Figures figures = round.get(way);
        if (figures == null) {
            throw new IllegalArgumentException(way + " was not measured, but " + round.keySet());
        }
        return figures;
    }
}
