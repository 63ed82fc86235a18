package io.github.collapseexecutor.benchmark;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Of what the time of one call consists, in nanoseconds.
 *
 * @param untilStart from the call to the start of the execution that answered it; negative if that ran already
 * @param execution how long that execution took
 * @param untilBack from its end until the caller ran again
 */
record CallParts(long untilStart, long execution, long untilBack) {

    /** So many calls around a percentile, each way, give its parts: those of a single call are an accident. */
    private static final int AROUND = 50;

    static CallParts of(long called, HotKeyParts.Execution execution, long back) {
        return new CallParts(execution.begin() - called, execution.end() - execution.begin(), back - execution.end());
    }

    long total() {
        return untilStart + execution + untilBack;
    }

    /** The means of the calls around a percentile of the time that a call takes, as cells of a table. */
    static String at(double percentile, List<CallParts> calls) {
        List<CallParts> sorted = calls.stream()
                .sorted(Comparator.comparingLong(CallParts::total))
                .toList();
        int at = (int) Math.round((sorted.size() - 1) * percentile / 100);
        List<CallParts> around = sorted.subList(Math.max(0, at - AROUND), Math.min(sorted.size(), at + AROUND + 1));
        return String.format(
                Locale.ROOT,
                "%s | %s | %s | %s",
                millis(around, CallParts::total),
                millis(around, CallParts::untilStart),
                millis(around, CallParts::execution),
                millis(around, CallParts::untilBack));
    }

    private static String millis(List<CallParts> calls, ToLongFunction<CallParts> part) {
        double nanos = calls.stream().mapToLong(part).average().orElseThrow();
        return String.format(Locale.ROOT, "%.2f ms", nanos / TimeUnit.MILLISECONDS.toNanos(1));
    }
}
