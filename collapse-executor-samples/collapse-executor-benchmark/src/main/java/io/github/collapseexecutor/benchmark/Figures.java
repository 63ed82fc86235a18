package io.github.collapseexecutor.benchmark;

import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The result of one fork of a benchmark; not a number where it does not measure that.
 *
 * @param score calls a second of all callers, or nanoseconds a call
 * @param executions calls that reached the backend, of 1 000
 * @param p50 what half of the callers wait at most, in microseconds
 * @param p99 what all but one in 100 callers wait at most, in microseconds
 * @param bytes allocated for a call
 * @param pinned how often a virtual thread could not give its carrier back when it had to wait
 */
record Figures(double score, double executions, double p50, double p99, double bytes, double pinned) {

    static Figures of(RunResult result) {
        Map<String, ?> secondary = result.getSecondaryResults();
        return new Figures(
                result.getPrimaryResult().getScore(),
                1_000 * score(secondary, "executions") / score(secondary, "calls"),
                score(secondary, CallerLatencies.label(50)),
                score(secondary, CallerLatencies.label(99)),
                score(secondary, "gc.alloc.rate.norm"),
                score(secondary, PinningEvents.LABEL));
    }

    private static double score(Map<String, ?> results, String label) {
        return results.get(label) instanceof Result<?> result ? result.getScore() : Double.NaN;
    }
}
