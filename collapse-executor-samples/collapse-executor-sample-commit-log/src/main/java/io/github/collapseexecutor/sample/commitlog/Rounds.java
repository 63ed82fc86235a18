package io.github.collapseexecutor.sample.commitlog;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Several ways that are measured in rounds under the same load. In each round the ways take turns, and every second round goes backwards, so
 * that a machine that becomes slower or faster does so for all of them. A figure is the median over the rounds; a ratio is
 * the median of the ratios of each round.
 *
 * @param <W> a way
 */
public final class Rounds<W> {

    // immutable
    private final Map<W, List<Load.Figures>> figures;

    private Rounds(Map<W, List<Load.Figures>> figures) {
        this.figures = figures;
    }

    /**
     * Measures.
     *
     * @param <W> a way
     * @param load under which all ways are measured
     * @param rounds how many
     * @param ways at least one
     * @param opening opens what a way is measured on
     * @param directory where files are written
     * @return the figures
     * @throws Exception if a way fails
     */
    public static <W> Rounds<W> measure(
            Load load, int rounds, List<W> ways, Function<W, Load.Opening> opening, Path directory) throws Exception {
        Map<W, List<Load.Figures>> figures = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            List<W> turns = new ArrayList<>(ways);
            if (round % 2 == 1) {
                Collections.reverse(turns);
            }
            for (W way : turns) {
                figures.computeIfAbsent(way, key -> new ArrayList<>()).add(load.measure(opening.apply(way), directory));
            }
        }
        return new Rounds<>(figures);
    }

    /**
     * Returns a figure of a way.
     *
     * @param way one that was measured
     * @param of takes it out of a round's figures
     * @return the median over the rounds
     */
    public double median(W way, ToDoubleFunction<Load.Figures> of) {
        return median(of(way).stream().mapToDouble(of).toArray());
    }

    /**
     * Returns how many times the appends of another way a way makes.
     *
     * @param way one that was measured
     * @param other one that was measured
     * @return the median of the ratios of each round
     */
    public double ratio(W way, W other) {
        List<Load.Figures> ours = of(way);
        List<Load.Figures> others = of(other);
        return median(IntStream.range(0, ours.size())
                .mapToDouble(
                        round -> ours.get(round).appends() / others.get(round).appends())
                .toArray());
    }

    private List<Load.Figures> of(W way) {
        return figures.getOrDefault(way, List.of());
    }

    static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
