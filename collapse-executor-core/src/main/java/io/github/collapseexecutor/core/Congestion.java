package io.github.collapseexecutor.core;

/**
 * Tells from what the callers of an executor saw last whether more threads want to run than there are processors, and
 * whether a yield of the processor before a start would bring a batch company.
 *
 * <p>Its fields are written and read without a lock, because a yield or a helper too many or too few harms nobody.
 */
final class Congestion {

    /** After this many yields in a row that brought a lone batch no company, lone batches start without one. */
    private static final int MOST_FRUITLESS = 8;

    // mutable
    /** The id of the thread that last opened a batch which had nothing to wait for. */
    private long lastAlone;
    /** The caller that was woken last had waited for a processor. */
    private boolean present;
    /** How many yields brought a lone batch no company since a caller last met another, {@link #MOST_FRUITLESS} at most. */
    private int fruitless;

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
     * Tells whether a yield may bring company to a batch that has one input and nothing to wait for.
     *
     * @return false if the calling thread also opened the last batch of that kind, because it is alone then; false too if the
     *     last yields brought no company and no caller has met another of its group since, as where every input is of another
     *     group
     */
    boolean mayBringCompany() {
        if (bringsNoCompany()) {
            return false;
        }
        lastAlone = Thread.currentThread().getId();
        return true;
    }

    /** The opposite, without taking note of the calling thread. */
    boolean bringsNoCompany() {
        return fruitless == MOST_FRUITLESS || Thread.currentThread().getId() == lastAlone;
    }

    /** Takes note of a yield before the start of a lone batch that brought it no company. */
    void yieldedInVain() {
        if (fruitless < MOST_FRUITLESS) {
            fruitless++;
        }
    }

    /** Takes note of a caller that found another of its group. */
    void met() {
        if (fruitless > 0) {
            fruitless = 0;
        }
    }
}
