package io.github.collapseexecutor.core;

/**
 * How much is in an executor at a moment; immutable.
 *
 * <pre>{@code
 * gauge("users.present", () -> users.counts().callers());
 * }</pre>
 */
public final class CollapseCounts {

    // immutable
    private final int callers;
    private final int gathering;
    private final int batchesInFlight;
    private final int groups;

    CollapseCounts(int callers, int gathering, int batchesInFlight, int groups) {
        this.callers = callers;
        this.gathering = gathering;
        this.batchesInFlight = batchesInFlight;
        this.groups = groups;
    }

    /**
     * Returns how many callers are present: they have called, have not left, and their batch has not ended.
     *
     * @return a number of callers
     */
    public int callers() {
        return callers;
    }

    /**
     * Returns how many of the callers stand in a batch that has not started.
     *
     * @return a number of inputs
     */
    public int gathering() {
        return gathering;
    }

    /**
     * Returns how many batches have started and have not ended, also those that every caller has left.
     *
     * @return a number of batches
     */
    public int batchesInFlight() {
        return batchesInFlight;
    }

    /**
     * Returns how many groups have a batch that gathers or is in flight.
     *
     * @return a number of groups
     */
    public int groups() {
        return groups;
    }

    /**
     * Adds the counts of another executor, for an object that is made of several.
     *
     * @param other what is in the other one
     * @return the sum of each count
     */
    public CollapseCounts plus(CollapseCounts other) {
        return new CollapseCounts(
                callers + other.callers,
                gathering + other.gathering,
                batchesInFlight + other.batchesInFlight,
                groups + other.groups);
    }

    @Override
    public String toString() {
        return "callers=" + callers + ", gathering=" + gathering + ", batchesInFlight=" + batchesInFlight + ", groups="
                + groups;
    }
}
