package io.github.collapseexecutor.benchmark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Whether a figure that was measured in several rounds is what it was to be.
 *
 * @param work what was measured
 * @param figure what was asked of it
 * @param goal what it was to be
 * @param perRound what it was in each round, at least one
 * @param raw the medians that it was made of
 */
record Verdict(String work, String figure, Goal goal, List<Double> perRound, String raw) {

    private static final MathContext DIGITS = new MathContext(4);

    /**
     * What a figure is to be.
     *
     * @param atLeast at least, or at most, the limit
     */
    record Goal(boolean atLeast, double limit) {

        static Goal atLeast(double limit) {
            return new Goal(true, limit);
        }

        static Goal atMost(double limit) {
            return new Goal(false, limit);
        }

        boolean isMetBy(double figure) {
            return atLeast ? figure >= limit : figure <= limit;
        }

        @Override
        public String toString() {
            return (atLeast ? "≥ " : "≤ ") + plain(limit);
        }
    }

    static final String HEADING = """
            | Work | Figure | Goal | Measured | in the rounds | of | Goal met |
            |---|---|---|---|---|---|---|
            """;

    double median() {
        return median(perRound.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** By the figure itself: what is printed is rounded. */
    boolean isMet() {
        return goal.isMetBy(median());
    }

    String row() {
        double[] sorted =
                perRound.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s to %s | %s | %s |%n",
                work,
                figure,
                goal,
                plain(median()),
                plain(sorted[0]),
                plain(sorted[sorted.length - 1]),
                raw,
                isMet() ? "yes" : "**no**");
    }

    /** For a table of a report: work, figure, goal, median, what was compared, and whether the goal is met. */
    List<Object> cells() {
        return List.of(work, figure, goal.toString(), plain(median()), raw, isMet() ? "yes" : "no");
    }

    static double median(double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** With as many digits as mean something, and a space between thousands. */
    static String plain(double figure) {
        if (!Double.isFinite(figure)) {
            return "";
        }
        BigDecimal rounded = new BigDecimal(figure);
        rounded = Math.abs(figure) < 10_000 ? rounded.round(DIGITS) : rounded.setScale(0, RoundingMode.HALF_UP);
        String digits = rounded.stripTrailingZeros().toPlainString();
        return digits.contains(".") ? digits : digits.replaceAll("(?<=\\d)(?=(\\d{3})+$)", " ");
    }
}
