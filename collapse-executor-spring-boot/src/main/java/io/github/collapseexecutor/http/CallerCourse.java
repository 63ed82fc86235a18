package io.github.collapseexecutor.http;

/**
 * The course of one request that another's call may answer: what it does after what came of that call. Decided here for
 * every kind of caller, those that wait on their thread and those that hold a future.
 *
 * <p>A follower that was not answered, but may be answered together with others of its batch, is gathered with these anew:
 * once after a failure of the leader (H22), and after a response that was chosen by a header in which they differ from the
 * leader (H14), as often as the new leader's response is in turn chosen by another header, but not without end. Whoever is
 * without an answer then goes alone. All who take part in one call have come the same way, so that they are of one mind
 * about what its failure means.
 */
final class CallerCourse {

    /** What all followers of a failed call have in common: that they may share one more call. */
    private static final Object NOTHING_MORE = new Object();

    /** Regrouping takes a call's time for each round; one that chooses by ever other headers is not worth more of them. */
    private static final int MOST_ROUNDS = 3;

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;

    // mutable, confined to whoever takes this request's next step; there is one at a time
    private boolean reelected;
    private int rounds;

    CallerCourse(SharingRules rules, CollapsibleRequest request) {
        this.rules = rules;
        this.request = request;
    }

    /** The next step of a follower. */
    Step after(Outcome outcome) {
        return switch (outcome.kind()) {
            case NOTHING -> new Step.Alone(outcome.fanOut());
            case NO_CALL -> new Step.Gather(new Regroup(outcome, NOTHING_MORE));
            case TRANSPORT_FAILURE, FAILURE -> afterFailure(outcome, new Step.Fail(outcome.failure()));
            case RESPONSE -> afterResponse(outcome, outcome.response());
        };
    }

    private Step afterResponse(Outcome outcome, SharedResponse response) {
        if (!response.mayAnswer(request)) {
            Object common = rounds < MOST_ROUNDS ? response.regroupBy(request) : null;
            rounds++;
            return common == null ? new Step.Alone(outcome.fanOut()) : new Step.Gather(new Regroup(outcome, common));
        }
        Step.Answer answer = new Step.Answer(response);
        return response.isErrorResponse() ? afterFailure(outcome, answer) : answer;
    }

    private Step afterFailure(Outcome outcome, Step shared) {
        return switch (choiceAfter(outcome)) {
            case SHARE -> shared;
            case FAN_OUT -> new Step.Alone(outcome.fanOut());
            case RE_ELECT -> {
                reelected = true;
                yield new Step.Gather(new Regroup(outcome, NOTHING_MORE));
            }
        };
    }

    /** What a failure means to the followers; a re-election happens once, and what comes of it is shared. */
    LeaderFailure choiceAfter(Outcome failed) {
        LeaderFailure configured = failed.kind() == Outcome.Kind.TRANSPORT_FAILURE
                ? rules.options().onTransportFailure()
                : rules.options().onErrorResponse();
        return configured == LeaderFailure.RE_ELECT && reelected ? LeaderFailure.SHARE : configured;
    }

    /** The next step of one whose deadline has passed while it waited, whatever for (H25). */
    Step afterDeadline() {
        return switch (rules.options().onFollowerTimeout()) {
            case GO_ALONE -> new Step.Alone(null);
            case FAIL -> new Step.TimeOut();
        };
    }
}
