package io.github.collapseexecutor.sample.springboot;

/**
 * One line of the demonstration's table: what was done, and what was measured.
 *
 * @param demonstration what the callers did
 * @param collapsing whether their calls collapsed
 * @param callers how many callers there were at a time
 * @param calls how many calls they made together, each of which was answered
 * @param backendCalls how many requests the backend served for them
 * @param p50Nanos what half of the answers took at most, in nanoseconds
 * @param p99Nanos what 99 of 100 answers took at most, in nanoseconds
 * @param wrongAnswers how many answers were not about the user who was asked for
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

    /** Returns how many requests reached the backend for 1 000 calls. */
    public double backendCallsPerThousand() {
        return 1_000.0 * backendCalls / calls;
    }
}
