package io.github.collapseexecutor.benchmark;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;

/** How long the callers of a period waited, and how much of the wait was not allowed by the ages of calls in flight. */
final class WaitTally {

    private static final int SIGNIFICANT_DIGITS = 3;

    // immutable; in nanoseconds
    private final long from;
    private final long until;
    /** From a caller's call to the start of the execution that answered it. */
    final AbstractHistogram wait = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
    /** What there was of that beyond the bound. */
    final AbstractHistogram beyond = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
    /** From when a caller was to call to when it did. */
    final AbstractHistogram late = new ConcurrentHistogram(SIGNIFICANT_DIGITS);

    /** Counts the callers that are to call in an interval of {@link System#nanoTime}. */
    WaitTally(long from, long until) {
        this.from = from;
        this.until = until;
    }

    void add(long due, long submitted, long started, long bound) {
        long waited = started - submitted;
        if (waited < 0) {
            throw new IllegalStateException("A caller was answered by an execution that began before it called");
        }
        if (due - from >= 0 && due - until < 0) {
            wait.recordValue(waited);
            beyond.recordValue(Math.max(0, waited - bound));
            late.recordValue(Math.max(0, submitted - due));
        }
    }

    /** The share of callers who waited no longer than allowed, and so much more. */
    double shareWithin(long more) {
        return (double) beyond.getCountBetweenValues(0, more) / beyond.getTotalCount();
    }
}
