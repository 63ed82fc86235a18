package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/** What a {@link CollapseListener} is told of a batch that has ended; immutable. */
public final class BatchSummary {

    /** How a batch ended. */
    public enum Outcome {
        /** The batch function returned, and what it returned was bound. Single callers may have been given failures. */
        BOUND,
        /** The batch function, or binding what it returned, failed; {@link BatchSummary#failure()} says how. */
        FAILED,
        /** Every caller left while the batch ran, and its future was cancelled. */
        ABANDONED
    }

    // immutable
    private final String executor;
    private final Object group;
    private final int size;
    private final int callers;
    private final long waitNanos;
    private final long durationNanos;
    private final Outcome outcome;
    private final @Nullable Throwable failure;
    private final Thread leader;

    BatchSummary(String executor, Batch<?, ?> batch) {
        this.executor = executor;
        this.group = batch.group.key.value();
        this.size = batch.size;
        this.callers = batch.joined;
        this.waitNanos = batch.startedAt - batch.openedAt;
        this.durationNanos = batch.endedAt - batch.startedAt;
        this.failure = batch.failure;
        boolean left = batch.abandoned || (batch.lost && failure == null);
        this.outcome = left ? Outcome.ABANDONED : failure == null ? Outcome.BOUND : Outcome.FAILED;
        this.leader = batch.startedBy;
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
     * Returns the group that the batch belonged to. It may hold a user's data: keep it out of metric tags.
     *
     * @return what the callers' inputs had in common
     */
    public Object group() {
        return group;
    }

    /**
     * Returns how many inputs the batch held when it started; a batch that was refused before it started counts those it
     * had gathered.
     *
     * @return a number of inputs
     */
    public int size() {
        return size;
    }

    /**
     * Returns how many callers the batch served: its inputs, and those who joined it in flight.
     *
     * @return a number of callers
     */
    public int callers() {
        return callers;
    }

    /**
     * Returns how long the batch gathered, which is how long its first caller waited for the start.
     *
     * @return nanoseconds
     */
    public long waitNanos() {
        return waitNanos;
    }

    /**
     * Returns how long the batch was in flight.
     *
     * @return nanoseconds
     */
    public long durationNanos() {
        return durationNanos;
    }

    /**
     * Returns how the batch ended.
     *
     * @return the outcome
     */
    public Outcome outcome() {
        return outcome;
    }

    /**
     * Returns what the batch function threw, or what its future ended with.
     *
     * @return the failure, or null if the outcome is {@link Outcome#BOUND}
     */
    public @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Returns the thread that started the batch function: the leader's own on a blocking executor.
     *
     * @return the thread
     */
    public Thread leader() {
        return leader;
    }
}
