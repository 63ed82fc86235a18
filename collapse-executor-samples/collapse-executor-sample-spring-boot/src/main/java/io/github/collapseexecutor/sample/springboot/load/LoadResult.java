package io.github.collapseexecutor.sample.springboot.load;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What came of a load.
 *
 * @param answers how many right or wrong answers came while it was measured
 * @param all how many came altogether, while it warmed up and ended too
 * @param nanos for how long it was measured, in nanoseconds
 * @param latencies what the measured answers took, in nanoseconds; with a rate, from when each was to be asked for
 * @param wrong how many answers were no number, or older than their question
 * @param failed how many requests the server could not serve (a status of 500 or more), and how many connections broke or were not
 *     answered at the end
 * @param firstFailure what the first of them was; null if none failed
 * @param intervals what came in each {@link Interval#LENGTH}, from the beginning, warm-up included
 */
record LoadResult(
        long answers,
        long all,
        long nanos,
        Histogram latencies,
        long wrong,
        long failed,
        @Nullable String firstFailure,
        List<Interval> intervals) {

    LoadResult {
        intervals = List.copyOf(intervals);
    }

    double perSecond() {
        return 1e9 * answers / nanos;
    }

    /** What so many of 100 answers took at most, in milliseconds. */
    double millis(double percent) {
        return latencies.getValueAtPercentile(percent) / 1e6;
    }

    /** Whether there were answers, none of them wrong, and nothing failed. */
    boolean isRight() {
        return wrong == 0 && failed == 0 && all > 0;
    }

    /** How many answers were right, and how many not: for a list of mistakes. */
    String counts() {
        return wrong + " wrong, " + failed + " failed" + (firstFailure == null ? "" : " (first: " + firstFailure + ")")
                + ", " + all + " answers";
    }
}
