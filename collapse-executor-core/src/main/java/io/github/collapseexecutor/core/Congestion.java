package io.github.collapseexecutor.core;

/**
 * Tells from what the callers of an executor saw last whether more threads want to run than there are processors, and
 * whether a yield of the processor before a start would bring a batch company.
 *
 * <p>Its fields are written and read without a lock, because a yield or a helper too many or too few harms nobody.
 */
final class Congestion {

    // mutable
    /** The id of the thread that last opened a batch which had nothing to wait for. */
    private long lastAlone;
    /** Whoever was woken last had waited for a processor. */
    private boolean present;

    /** Whether callers lately had to wait for a processor. */
    boolean isPresent() {
        return present;
    }

    /**
     * Takes note of how long after the end of its call a caller was woken: long, if that is more than the call itself took.
     *
     * @return whether it is to help to wake the others: it was long in coming, or those before it were
     */
    boolean woken(long nanosAfterEnd, long callNanos) {
        boolean before = present;
        boolean late = nanosAfterEnd > callNanos;
        if (late != before) {
            present = late;
        }
        return late || before;
    }

    /**
     * Whether the calling thread, which has opened a batch that has nothing to wait for, also opened the last one of that
     * kind: it is alone, and a yield would bring it no company.
     */
    boolean isAloneAgain() {
        long thread = Thread.currentThread().getId();
        if (thread == lastAlone) {
            return true;
        }
        lastAlone = thread;
        return false;
    }
}
