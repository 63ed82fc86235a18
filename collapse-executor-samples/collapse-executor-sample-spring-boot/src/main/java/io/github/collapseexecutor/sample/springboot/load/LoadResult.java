package io.github.collapseexecutor.sample.springboot.load;

import java.util.List;
import org.HdrHistogram.Histogram;

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
 * @param intervals what came in each {@link Interval#LENGTH}, from the beginning, warm-up included
 */
record LoadResult(
        long answers, long all, long nanos, Histogram latencies, long wrong, long failed, List<Interval> intervals) {

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
}
