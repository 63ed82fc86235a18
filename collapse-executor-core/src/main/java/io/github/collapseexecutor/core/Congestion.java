package io.github.collapseexecutor.core;

/**
 * Tells from what the callers of an executor saw last whether more threads want to run than there are processors, and
 * whether a yield of the processor before a start would bring a batch company.
 *
 * <p>Its fields are written and read without a lock, because a yield or a helper too many or too few harms nobody.
 */
final class Congestion {

    /** After this many yields in a row that brought a lone batch no company, most lone batches start without a yield. */
    private static final int MOST_FRUITLESS = 8;

    /** One lone batch in so many yields all the same, to find out whether there is company by now; a power of two. */
    private static final int TRIAL = 64;

    // mutable
    /** The id of the thread that last opened a batch which had nothing to wait for. */
    private long lastAlone;
    /** Whoever was woken last had waited for a processor. */
    private boolean present;
    /** How many yields in a row brought a lone batch no company, {@link #MOST_FRUITLESS} at most. */
    private int fruitless;
    /** How many lone batches started without a yield since that number was reached. */
    private int skipped;

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
     * @return false if the calling thread also opened the last batch of that kind, because it is alone then; false for most
     *     batches if the last yields brought no company, as where every input is of another group
     */
    boolean mayBringCompany() {
        long thread = Thread.currentThread().getId();
        if (thread == lastAlone) {
            return false;
        }
        lastAlone = thread;
        return fruitless < MOST_FRUITLESS || (++skipped & (TRIAL - 1)) == 0;
    }

    /** Takes note of whether the yield before the start of a lone batch brought it company. */
    void yielded(boolean broughtCompany) {
        if (broughtCompany && fruitless > 0) {
            fruitless = 0;
        } else if (!broughtCompany && fruitless < MOST_FRUITLESS) {
            fruitless++;
        }
    }
}
