package io.github.collapseexecutor.http;

/** What becomes of the followers when the call that was to answer them all has failed. */
public enum LeaderFailurePolicy {

    /** The followers get the failure too: the error response, or an exception of the leader's type. */
    SHARE,

    /** One follower makes the call anew, once, for all of them; how that ends is final. */
    RE_ELECT,

    /** Every follower makes a call of its own, all at once. */
    FAN_OUT
}
