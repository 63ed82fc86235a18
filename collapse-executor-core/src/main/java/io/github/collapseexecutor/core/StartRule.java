package io.github.collapseexecutor.core;

import java.time.Duration;

/**
 * When a batch starts, as numbers: the settings of {@link CollapseOptions} in the units that the engine counts in.
 *
 * <p>The waiting part of the rule says: start when {@code maxWaitRatio} of the age of the oldest batch in flight has
 * passed since the group's last start. With {@code L} the last start, {@code S} the start of the oldest and {@code r} the
 * ratio, that is the first {@code t} with {@code t - L >= r * (t - S)}, hence
 *
 * <pre>{@code t = L + r / (1 - r) * (L - S)}</pre>
 *
 * <p>which is known the moment a batch starts: no history, no clock tick, and one timer at most. The second batch of a
 * group ({@code L == S}) starts at once; beyond it the gaps grow in proportion to the age of the oldest, so that about
 * {@code 1/r} batches are in flight however long the call takes.
 *
 * <p>Where processors are scarce, the gap is at least as long as answers take to reach their callers, but no longer than the
 * last call took: callers that have not got their answers yet cannot ask again. A part of a {@link Crowd} does not wait for that.
 */
final class StartRule {

    /** As {@link #collectingWaitTime}: not even a yield, because a caller that came meanwhile would share the call in flight. */
    private static final long NOT_AT_ALL = -1;

    // immutable; times in nanoseconds
    final int maxBatchSize;
    final long maxBatchWeight;
    final int maxConcurrentBatches;
    final int waitThreshold;
    final long collectingWaitTime;
    final long maxWait;
    final boolean joinsInFlight;
    /** The greatest age of a batch in flight that callers join. */
    final long maxJoinAge;
    /** An input in flight is shared by equal inputs only, not by the whole group. */
    final boolean indexesInputs;
    /** Batches wait for threads of an executor, all of which may be waiting for calls that they made. */
    final boolean onExecutor;
    /** For how long a group may stand still before the listener is told; {@link Long#MAX_VALUE} if there is none. */
    final long stallNanos;
    /** How long the first call of a group waits for others. */
    final StartDelay loneDelay;

    private final double maxWaitRatio;
    private final double lagFactor;

    StartRule(CollapseOptions options, boolean answersByInput, boolean onExecutor, long stallNanos) {
        this.onExecutor = onExecutor;
        this.stallNanos = options.listener() == null ? Long.MAX_VALUE : stallNanos;
        maxBatchSize = options.maxBatchSize();
        maxBatchWeight = options.maxBatchWeight();
        maxConcurrentBatches = options.maxConcurrentBatches();
        waitThreshold = options.waitThreshold();
        maxWait = options.maxWait().toNanos();
        Duration joinAge = options.maxJoinAge();
        maxJoinAge = joinAge == null ? Long.MAX_VALUE : joinAge.toNanos();
        joinsInFlight = options.joinMode() == JoinMode.IN_FLIGHT;
        indexesInputs = joinsInFlight && answersByInput;
        boolean latecomersShare = joinsInFlight && !answersByInput;
        long collecting = options.collectingWaitTime().toNanos();
        collectingWaitTime = collecting == 0 && latecomersShare ? NOT_AT_ALL : collecting;
        loneDelay = delayOfLoneCall();
        maxWaitRatio = options.maxWaitRatio();
        lagFactor = options.maxWaitRatio() / (1 - options.maxWaitRatio());
    }

    private StartDelay delayOfLoneCall() {
        if (maxBatchSize == 1 || !collects() || waitThreshold <= 1) {
            return StartDelay.NONE;
        }
        return collectingWaitTime == 0 ? StartDelay.AFTER_YIELD : StartDelay.of(collectingWaitTime);
    }

    /**
     * How long after the last start of a group the next batch starts, while others are in flight.
     *
     * @param lastStart when the last batch started
     * @param oldestStart when the oldest batch in flight started
     * @param delivery how long answers take to reach their callers ({@link DeliveryTime})
     * @param lastCall how long the call took that ended last
     */
    long gapAfter(long lastStart, long oldestStart, long delivery, long lastCall) {
        if (lagFactor == 0) {
            return 0;
        }
        long lag = (long) (lagFactor * (lastStart - oldestStart));
        return Math.min(maxWait, Math.max(lag, Math.min(delivery, lastCall)));
    }

    double maxWaitRatio() {
        return maxWaitRatio;
    }

    /** The part of a call's time that a caller may wait for the sake of others, in nanoseconds. */
    long shareOf(long callNanos) {
        return (long) (maxWaitRatio * callNanos);
    }

    /** Whether a batch that is small may wait, or its starter yield the processor, for others to join. */
    boolean collects() {
        return collectingWaitTime >= 0;
    }

    boolean limitsWeight() {
        return maxBatchWeight != CollapseOptions.UNLIMITED_WEIGHT;
    }
}
