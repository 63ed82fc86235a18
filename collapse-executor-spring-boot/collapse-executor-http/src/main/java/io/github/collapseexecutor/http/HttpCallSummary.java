package io.github.collapseexecutor.http;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link HttpCollapseListener} is told of a request that might have shared a call, when it has its answer or none.
 *
 * @param rule the group that the request belongs to
 * @param role what it was to the call that answered it
 * @param outcome how it ended
 * @param durationNanos how long that took since the request arrived, in nanoseconds; until the header section is there if the
 *     response is passed on as it comes
 * @param failure what its caller gets instead of a response, which may hold a user's data; null if there is a response
 * @param callerContext what belongs to its caller and is not on its thread: with {@code WebClient}, the Reactor context, which may hold
 *     a user's data; null if the listener is told on the caller's own thread
 */
public record HttpCallSummary(
        CollapseRule rule,
        Role role,
        Outcome outcome,
        long durationNanos,
        @Nullable Throwable failure,
        @Nullable Object callerContext) {

    /** What a request was to the call that answered it. */
    public enum Role {
        /** It was sent, and its call was for others too, or might have been: some may join it until it has ended. */
        LEADER,
        /** It was not sent: another's call was to answer it. */
        FOLLOWER,
        /** It was sent for itself only. */
        ALONE
    }

    /** How a request ended. */
    public enum Outcome {
        /** There is a response, whatever its status. */
        ANSWERED,
        /** The call failed; the failure of a leader is its followers' too. */
        FAILED,
        /** A time for waiting passed, and the request was not sent. */
        TIMED_OUT,
        /** Its caller left, or was interrupted. */
        CANCELLED,
        /** Too many requests wait already. */
        REJECTED
    }

    /** {@return whether the request had its answer, or the failure that it shares, without being sent, so that a call to the origin was saved} */
    public boolean isSaved() {
        return role == Role.FOLLOWER && (outcome == Outcome.ANSWERED || outcome == Outcome.FAILED);
    }
}
