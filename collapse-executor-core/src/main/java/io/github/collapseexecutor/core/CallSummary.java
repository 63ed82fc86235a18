package io.github.collapseexecutor.core;

/** One caller of a batch that has ended, as a {@link CollapseListener} sees it; immutable. */
public final class CallSummary {

    /** The part of a caller in its batch. */
    public enum Role {
        /** Its thread ran the batch, or, on an executor whose callers hold futures, it was the first that stayed. */
        LEADER,
        /** Its input was gathered with the leader's. */
        FOLLOWER,
        /** It came when the batch was in flight, and shared an answer ({@link JoinMode#IN_FLIGHT}). */
        JOINED_IN_FLIGHT
    }

    // immutable
    private final Role role;
    private final long waitNanos;

    CallSummary(Role role, long waitNanos) {
        this.role = role;
        this.waitNanos = waitNanos;
    }

    /**
     * Returns what the caller was to its batch.
     *
     * @return the role
     */
    public Role role() {
        return role;
    }

    /**
     * Returns how long the caller was in the executor until its batch ended.
     *
     * @return nanoseconds since it submitted its call
     */
    public long waitNanos() {
        return waitNanos;
    }

    @Override
    public String toString() {
        return role + " after " + waitNanos + " ns";
    }
}
