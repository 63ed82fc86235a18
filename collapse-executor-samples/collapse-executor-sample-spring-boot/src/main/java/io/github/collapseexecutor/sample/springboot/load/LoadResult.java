package io.github.collapseexecutor.sample.springboot.load;

/**
 * What came of a load.
 *
 * @param answers how many answers came while it was measured
 * @param all how many came altogether, while it warmed up and ended too
 * @param nanos for how long it was measured, in nanoseconds
 * @param p50Nanos what half of the answers took at most, in nanoseconds
 * @param p99Nanos what 99 of 100 answers took at most, in nanoseconds
 * @param wrong how many answers were no number, or older than their question
 * @param failed how many connections broke or were not answered at the end
 */
record LoadResult(long answers, long all, long nanos, long p50Nanos, long p99Nanos, long wrong, long failed) {

    double perSecond() {
        return 1e9 * answers / nanos;
    }
}
