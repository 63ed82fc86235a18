package io.github.collapseexecutor.core;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch that has ended, as a {@link CollapseListener} sees it; immutable. */
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
    private final long id;
    private final String executor;
    private final Object group;
    private final int size;
    private final int callers;
    private final long waitNanos;
    private final long durationNanos;
    private final Outcome outcome;
    private final @Nullable Throwable failure;
    private final String leader;
    private final boolean ranTwice;
    private final List<CallSummary> calls;

    BatchSummary(String executor, Batch<?, ?> batch) {
        BatchRecord record = batch.record();
        this.id = record.id;
        this.executor = executor;
        this.group = batch.group.value();
        this.size = batch.size();
        this.callers = batch.joined();
        this.waitNanos = batch.startedAt() - batch.openedAt;
        this.durationNanos = batch.endedAt() - batch.startedAt();
        this.failure = record.failure();
        this.outcome = batch.isAbandoned() ? Outcome.ABANDONED : failure == null ? Outcome.BOUND : Outcome.FAILED;
        this.leader = nameOf(record.startedBy());
        this.ranTwice = batch.ranTwice();
        this.calls = Collections.unmodifiableList(record.calls());
    }

    /** The thread itself is not kept. */
    static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "thread " + thread.getId() : thread.getName();
    }

    /**
     * Returns the number of the batch, which all events of it have in common.
     *
     * @return a number that no other batch of the executor has
     */
    public long id() {
        return id;
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
     * Returns how many callers the batch served: its inputs, and the callers that joined it in flight.
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
     * Returns the name of the thread that started the batch function: the leader's own on a blocking executor.
     *
     * @return the name of the thread, or its number if it has none
     */
    public String leader() {
        return leader;
    }

    /**
     * Tells whether the batch function was called twice, because the interruption of the first leader broke the first call.
     *
     * @return whether another caller made the call once more
     */
    public boolean ranTwice() {
        return ranTwice;
    }

    /**
     * Returns the callers that stayed to the end of the batch.
     *
     * @return those gathered, in order of submission, then those that joined the batch in flight; unmodifiable
     */
    public List<CallSummary> calls() {
        return calls;
    }

    @Override
    public String toString() {
        return "Batch " + id + " of \"" + executor + "\": outcome=" + outcome + ", size=" + size + ", callers="
                + callers
                + ", waitNanos=" + waitNanos + ", durationNanos=" + durationNanos + ", leader=\"" + leader
                + "\", ranTwice=" + ranTwice + ", failure="
                + (failure == null ? null : failure.getClass().getName());
    }
}
