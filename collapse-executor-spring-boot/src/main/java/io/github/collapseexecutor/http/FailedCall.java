package io.github.collapseexecutor.http;

/**
 * Takes the outcome of a call that failed to its followers, where these may do something other than fail too; none of them,
 * nor the leader, lets it out. Its cause is the failure.
 */
final class FailedCall extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    FailedCall(Outcome outcome) {
        super("The call that was to answer several requests failed", outcome.failure(), false, false);
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }
}
