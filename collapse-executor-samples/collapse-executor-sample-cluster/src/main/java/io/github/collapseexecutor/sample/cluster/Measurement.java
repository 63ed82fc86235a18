package io.github.collapseexecutor.sample.cluster;

import java.time.Duration;

/**
 * One line of the sample's table.
 *
 * @param way which callers shared calls
 * @param result what the callers of all instances experienced
 * @param backendCalls how many calls the backend got
 * @param lasting how long it was measured
 */
record Measurement(String way, LoadResult result, long backendCalls, Duration lasting) {

    double answersPerSecond() {
        return 1_000.0 * result.answers() / lasting.toMillis();
    }

    double backendCallsPerSecond() {
        return 1_000.0 * backendCalls / lasting.toMillis();
    }

    /** Returns how many calls the backend got for 1 000 answers. */
    double callsPerThousand() {
        return 1_000.0 * backendCalls / result.answers();
    }

    boolean isRight() {
        return result.answers() > 0 && result.failed() == 0 && result.old() == 0;
    }
}
