package io.github.collapseexecutor.core;

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
 */
final class StartRule {

    /** As {@link #collectingWaitTime}: not even a yield, because whoever would come meanwhile shares the call in flight. */
    private static final long NOT_AT_ALL = -1;

    // immutable; times in nanoseconds
    final int maxBatchSize;
    final long maxBatchWeight;
    final int maxConcurrentBatches;
    final int waitThreshold;
    final long collectingWaitTime;
    final long maxWait;
    final boolean joinsInFlight;
    /** An input in flight is shared by equal inputs only, not by the whole group. */
    final boolean indexesInputs;

    private final double lagFactor;

    StartRule(CollapseOptions options, boolean answersByInput) {
        maxBatchSize = options.maxBatchSize();
        maxBatchWeight = options.maxBatchWeight();
        maxConcurrentBatches = options.maxConcurrentBatches();
        waitThreshold = options.waitThreshold();
        maxWait = options.maxWait().toNanos();
        joinsInFlight = options.joinMode() == JoinMode.IN_FLIGHT;
        indexesInputs = joinsInFlight && answersByInput;
        boolean latecomersShare = joinsInFlight && !answersByInput;
        long collecting = options.collectingWaitTime().toNanos();
        collectingWaitTime = collecting == 0 && latecomersShare ? NOT_AT_ALL : collecting;
        lagFactor = options.maxWaitRatio() / (1 - options.maxWaitRatio());
    }

    /** How long after {@code lastStart} the next batch starts, if the oldest one in flight started at {@code oldestStart}. */
    long gapAfter(long lastStart, long oldestStart) {
        return Math.min(maxWait, (long) (lagFactor * (lastStart - oldestStart)));
    }

    /** Whether a batch that is small may wait, or its starter yield the processor, for others to join. */
    boolean collects() {
        return collectingWaitTime >= 0;
    }

    boolean limitsWeight() {
        return maxBatchWeight != CollapseOptions.UNLIMITED_WEIGHT;
    }

    boolean isLimited() {
        return maxConcurrentBatches != CollapseOptions.UNLIMITED;
    }
}
