package io.github.collapseexecutor.core;

/**
 * The callers that one group has had lately, and whether a part of them goes ahead: whether a batch starts before the answers of the batch
 * before it have had the time to arrive, and without a yield. Every method is called with the group's lock held.
 *
 * <p>Where answers take as long to arrive as a call takes, or longer, callers gather in one batch, and all of them wait for its call:
 * nobody has anything to do meanwhile, and the processors are idle. Two or three parts keep them busy, because the call of one is out while the
 * answers of another arrive. That gains the idle part of the time at most, and makes two or three times as many calls. So a part goes
 * ahead only where that part of the time is large, and where calls need no processor themselves:
 *
 * <ul>
 *   <li>A call takes at least a third of the time in which its answer would reach all callers.
 *   <li>Calls of parts that went ahead take no longer than other calls. A call that needs a processor is slower beside others, and is
 *       one more that takes it from callers who have their answer.
 * </ul>
 *
 * <p>With a {@code maxWaitRatio} above a third, a part is that share of the callers, because the ratio asks for fewer calls.
 */
final class Crowd {

    /** So few callers have no parts. */
    static final int FEW = 3;

    /** With a half, the rest hardly ever comes in time for a second part; with a fifth, there are twice as many calls and no gain. */
    private static final double LEAST_PART = 1 / 3.0;

    /** A call that takes less of the time in which answers arrive leaves processors idle for less than a quarter of the time. */
    private static final int MOST_DELIVERIES = 3;

    /** A sample counts for one part in 2<sup>3</sup>. */
    private static final int WEIGHT = 3;

    /** With each call of a batch that did not go ahead, a part in 2<sup>6</sup> of what is known of others is forgotten. */
    private static final int FORGETTING = 6;

    // immutable
    private final double part;

    // mutable, guarded by the group's lock
    /** Sixteenths of the most callers at the starts of the last batches; a start takes a sixteenth off it. */
    private long most;
    /** How long a call takes, in nanoseconds: a moving average; 0 before the first. */
    private long inTurn;
    /** The same of calls whose batch went ahead, as far as they are known; as the others before the first. */
    private long ahead;

    Crowd(StartRule rule) {
        part = Math.max(LEAST_PART, rule.maxWaitRatio());
    }

    /** Takes note of the callers in the group when a batch starts. */
    void count(int callers) {
        most = Math.max((long) callers << 4, most - (most >> 4));
    }

    /** Takes note of how long the call of a batch took that had more than one caller. */
    void ended(long callNanos, boolean wentAhead) {
        if (inTurn == 0) {
            inTurn = callNanos;
            ahead = callNanos;
        } else if (wentAhead) {
            ahead = averageOf(ahead, callNanos);
        } else {
            inTurn = averageOf(inTurn, callNanos);
            ahead += (inTurn - ahead) >> FORGETTING;
        }
    }

    private static long averageOf(long before, long sample) {
        return before + ((sample - before) >> WEIGHT);
    }

    /**
     * Whether a batch goes ahead.
     *
     * @param callers how many it has
     * @param deliveryOfOne how long one answer of many takes to arrive, in nanoseconds; 0 if that is not known
     */
    boolean goesAhead(int callers, long deliveryOfOne) {
        double present = most / 16.0;
        return present > FEW
                && callers >= part * present
                && deliveryOfOne > 0
                && inTurn > 0
                && inTurn * MOST_DELIVERIES >= present * deliveryOfOne
                && ahead <= inTurn + (inTurn >> WEIGHT);
    }
}
