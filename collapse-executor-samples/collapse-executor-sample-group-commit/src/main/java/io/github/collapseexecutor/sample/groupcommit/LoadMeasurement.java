package io.github.collapseexecutor.sample.groupcommit;

/**
 * What came of one way of writing under the load of so many users.
 *
 * @param scenario what the users did
 * @param way how the shop wrote it
 * @param users how many users there were at a time, each of whom asked again as soon as he was answered
 * @param acknowledged how many requests succeeded
 * @param failed how many did not
 * @param nanos how long it took, in nanoseconds
 * @param p50Nanos what half of the answers took at most, in nanoseconds
 * @param p99Nanos what 99 of 100 answers took at most, in nanoseconds
 * @param statements how many statements the database was sent, a batch counting as one
 * @param commits how many commits it made
 * @param mistakes rows that were acknowledged and are not there, or pieces that stock and orders do not add up to
 */
record LoadMeasurement(
        LoadScenario scenario,
        LoadScenario.Way way,
        int users,
        long acknowledged,
        long failed,
        long nanos,
        long p50Nanos,
        long p99Nanos,
        long statements,
        long commits,
        long mistakes) {

    /** Returns how many requests succeeded in a second. */
    double perSecond() {
        return 1e9 * acknowledged / nanos;
    }

    double p50Millis() {
        return p50Nanos / 1e6;
    }

    double p99Millis() {
        return p99Nanos / 1e6;
    }

    double statementsPerRequest() {
        return (double) statements / Math.max(1, acknowledged);
    }

    /** Returns how many requests share a commit; 0 if there was none. */
    double requestsPerCommit() {
        return commits == 0 ? 0 : (double) acknowledged / commits;
    }
}
