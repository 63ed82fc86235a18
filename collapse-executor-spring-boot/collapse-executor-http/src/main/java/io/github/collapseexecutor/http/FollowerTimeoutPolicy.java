package io.github.collapseexecutor.http;

/** What a request does that has waited for another's response for as long as it may. */
public enum FollowerTimeoutPolicy {

    /** It is sent as a call of its own. */
    GO_ALONE,

    /** It fails. */
    FAIL
}
