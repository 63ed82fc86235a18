package io.github.collapseexecutor.http.call;

/**
 * Takes the end of a call that failed to its followers, where these may do something other than fail too; no driver lets it
 * out. Its cause is the failure.
 */
final class FailedCall extends Exception {

    private static final long serialVersionUID = 1L;

    // immutable
    private final transient EndedCall ended;
    private final transient Throwable failure;

    FailedCall(EndedCall ended, Throwable failure) {
        super("The call that was to answer several requests failed", failure, false, false);
        this.ended = ended;
        this.failure = failure;
    }

    EndedCall ended() {
        return ended;
    }

    /** What the leader fails with. */
    Throwable failure() {
        return failure;
    }
}
