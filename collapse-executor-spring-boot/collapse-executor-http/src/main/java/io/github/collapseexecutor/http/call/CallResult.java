package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.SharedResponse;

/** What came of one call, for the followers of the request that made it. */
sealed interface CallResult {

    /** The call gave a response that may answer followers, each as far as the response suits it. */
    record Shared(SharedResponse response) implements CallResult {}

    /** The leader has a response that is for nobody else. */
    record ForLeaderOnly(Reason reason) implements CallResult {

        private static final ForLeaderOnly LONE = new ForLeaderOnly(Reason.LONE);

        /** The commonest of them exists once, because a lone call should cost little. */
        static ForLeaderOnly of(Reason reason) {
            return reason == Reason.LONE ? LONE : new ForLeaderOnly(reason);
        }
    }

    /**
     * The call failed.
     *
     * @param ofTransport whether the transport failed, so that another request may do better
     */
    record Failed(Throwable failure, boolean ofTransport) implements CallResult {}

    /** There was no call, or its leader's leaving broke it: nothing is known of what a call would give. */
    record NotMade() implements CallResult {}
}
