package io.github.collapseexecutor.core;

import java.util.Collections;
import java.util.List;

/**
 * A group in which nothing has moved for long although callers wait, as a {@link CollapseListener} sees it; immutable.
 *
 * <p>All {@link CollapseOptions#maxConcurrentBatches() places} of the group are taken, or {@linkplain
 * CollapseOptions#maxConcurrentBatchesTotal() those of all groups}. Either the calls in flight take long, or
 * they wait for callers behind them: for a call that a batch function makes on another thread, or of another executor that
 * returns a future, without {@link BatchHandle#nested}.
 */
public final class GroupStall {

    // immutable
    private final String executor;
    private final Object group;
    private final boolean ofAllGroups;
    private final int batchesInFlight;
    private final int callersWaiting;
    private final long stalledNanos;
    private final List<String> leaders;

    GroupStall(
            String executor,
            Group<?, ?> group,
            boolean ofAllGroups,
            long stalledNanos,
            int batchesInFlight,
            List<String> leaders) {
        this.executor = executor;
        this.group = group.value();
        this.ofAllGroups = ofAllGroups;
        this.batchesInFlight = batchesInFlight;
        this.callersWaiting = group.gatheringCount();
        this.stalledNanos = stalledNanos;
        this.leaders = Collections.unmodifiableList(leaders);
    }

    /**
     * Returns the executor's name.
     *
     * @return {@link CollapseOptions#name()}
     */
    public String executor() {
        return executor;
    }

    /**
     * Returns the group. It may hold a user's data: keep it out of metric tags and logs.
     *
     * @return what the callers' inputs have in common
     */
    public Object group() {
        return group;
    }

    /**
     * Returns whether the places of all groups are taken, so that other groups may stand still, too; they are not told of.
     *
     * @return false if it is the places of this group
     */
    public boolean isOfAllGroups() {
        return ofAllGroups;
    }

    /**
     * Returns how many batches are in flight: of the group, or {@linkplain #isOfAllGroups() of all groups}.
     *
     * @return a number of batches; less than the limit if an executor has not begun some that it was given
     */
    public int batchesInFlight() {
        return batchesInFlight;
    }

    /**
     * Returns how many callers of the group wait for a place.
     *
     * @return a number of callers
     */
    public int callersWaiting() {
        return callersWaiting;
    }

    /**
     * Returns for how long no batch has started, of the group or {@linkplain #isOfAllGroups() of all groups}.
     *
     * @return nanoseconds
     */
    public long stalledNanos() {
        return stalledNanos;
    }

    /**
     * Returns the threads on which the functions of the batches in flight were called.
     *
     * @return the name of each thread, the oldest batch first; unmodifiable
     */
    public List<String> leaders() {
        return leaders;
    }

    @Override
    public String toString() {
        return sentence() + " In flight on " + leaders + ".";
    }

    /** What a caller is told that has waited. */
    String sentence() {
        return (ofAllGroups ? "All groups of \"" : "A group of \"") + executor + "\" "
                + (ofAllGroups ? "have had all their" : "has had all its") + " places taken for "
                + stalledNanos / 1_000_000 + " ms: " + batchesInFlight + " batches in flight, " + callersWaiting
                + " callers" + (ofAllGroups ? " of a group" : "")
                + " waiting. If these calls are not just slow, their batch functions"
                + " may wait for callers behind them: make calls on other threads, or of executors that return futures,"
                + " by BatchHandle.nested, or raise "
                + (ofAllGroups ? "maxConcurrentBatchesTotal" : "maxConcurrentBatches")
                + ".";
    }
}
