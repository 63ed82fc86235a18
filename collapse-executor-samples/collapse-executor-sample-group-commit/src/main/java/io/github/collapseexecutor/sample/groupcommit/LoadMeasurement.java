package io.github.collapseexecutor.sample.groupcommit;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What came of one way of writing under load.
 *
 * @param disk what commits waited for
 * @param scenario what the users did
 * @param way how the shop wrote it
 * @param users how many users there were at most, each of whom asked again as soon as he was answered
 * @param acknowledged how many requests succeeded
 * @param failed how many did not
 * @param firstFailure what the first of those was; null if none failed
 * @param nanos how long it took, in nanoseconds
 * @param answers what each answer took, in nanoseconds
 * @param connections how many connections were taken from the pool
 * @param statements how many statements the database was sent, a batch counting as one
 * @param commits how many commits it made
 * @param mistakes rows that were acknowledged and are not there, rows that are there and nobody was told of, or pieces that
 *     stock and orders do not add up to
 */
record LoadMeasurement(
        Disk disk,
        LoadScenario scenario,
        LoadScenario.Way way,
        int users,
        long acknowledged,
        long failed,
        @Nullable String firstFailure,
        long nanos,
        Histogram answers,
        long connections,
        long statements,
        long commits,
        long mistakes) {

    /** How many requests failed, and what the first failure was. */
    String failures() {
        return failed + " failed" + (firstFailure == null ? "" : " (first: " + firstFailure + ")");
    }

    /** Whether every request succeeded, at least one, and everything adds up. */
    boolean isCorrect() {
        return acknowledged > 0 && failed == 0 && mistakes == 0;
    }

    /** Returns how many requests succeeded in a second. */
    double perSecond() {
        return perSecond(acknowledged);
    }

    /** Returns how many of something there were in a second. */
    double perSecond(long count) {
        return 1e9 * count / nanos;
    }

    double meanMillis() {
        return answers.getMean() / 1e6;
    }

    /** Returns what so many of 100 answers took at most. */
    double millis(double percent) {
        return answers.getValueAtPercentile(percent) / 1e6;
    }

    double p50Millis() {
        return millis(50);
    }

    double p99Millis() {
        return millis(99);
    }

    double statementsPerRequest() {
        return (double) statements / Math.max(1, acknowledged);
    }

    /** Returns how many requests share a commit; 0 if there was none. */
    double requestsPerCommit() {
        return commits == 0 ? 0 : (double) acknowledged / commits;
    }
}
