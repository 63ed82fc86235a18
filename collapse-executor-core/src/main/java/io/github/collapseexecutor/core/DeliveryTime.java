package io.github.collapseexecutor.core;

/**
 * How long the answers of a batch take to reach its callers, from the end of the call until the last caller runs again: a moving
 * average over the last batches of an executor.
 *
 * <p>Where processors are free, that is some microseconds. Where more threads want to run than there are processors, a caller
 * cannot return sooner than its answer reaches it, and more calls at a time only slow one another down. So the average bounds
 * from below the time between two starts ({@link StartRule#gapAfter}).
 *
 * <p>It belongs to the executor and not to a group, because processors are scarce for all groups alike, and because a group exists
 * only while it has callers. Threads write it without a lock: an update that gets lost harms nobody.
 */
final class DeliveryTime {

    /** A sample counts for one part in 2<sup>3</sup>. */
    private static final int WEIGHT = 3;

    // mutable; volatile because a plain long may be torn
    private volatile long average;
    private volatile long averageOfOne;

    /** Adds how long the answers of one batch took, in nanoseconds. */
    void add(long nanos) {
        average = moved(average, nanos);
    }

    /**
     * Adds how long the answers of one batch took to reach threads that waited for them.
     *
     * @param followers how many these were
     */
    void add(long nanos, int followers) {
        add(nanos);
        averageOfOne = moved(averageOfOne, nanos / followers);
    }

    private static long moved(long before, long nanos) {
        return before + ((Math.max(0, nanos) - before) >> WEIGHT);
    }

    /** Returns the average in nanoseconds; 0 before the first batch. */
    long nanos() {
        return average;
    }

    /** Returns the part of one thread among those that waited, in nanoseconds; 0 if none has. */
    long nanosOfOne() {
        return averageOfOne;
    }
}
