package io.github.collapseexecutor.sample.springboot;

/**
 * One line of the demonstration's table: what was done, and what was measured.
 *
 * @param demonstration what the callers did
 * @param collapsing whether their calls collapsed
 * @param callers how many callers there were at a time
 * @param calls how many calls they made together, each of which was answered
 * @param backendCalls how often the backend did what they asked for
 * @param p50Nanos what half of the answers took at most, in nanoseconds
 * @param p99Nanos what 99 of 100 answers took at most, in nanoseconds
 * @param wrongAnswers how many answers were not right: about another user, or older than the question
 */
public record Measurement(
        String demonstration,
        boolean collapsing,
        int callers,
        int calls,
        long backendCalls,
        long p50Nanos,
        long p99Nanos,
        int wrongAnswers) {

    /** Returns how often the backend did it for 1 000 calls. */
    public double backendCallsPerThousand() {
        return 1_000.0 * backendCalls / calls;
    }
}
