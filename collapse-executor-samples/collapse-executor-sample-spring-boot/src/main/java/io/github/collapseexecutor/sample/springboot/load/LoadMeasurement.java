package io.github.collapseexecutor.sample.springboot.load;

import java.time.Duration;

/**
 * What came of one way of serving.
 *
 * @param result what the connections experienced
 * @param runs how often the server did the work meanwhile
 * @param processor how much processor time the server under load took meanwhile
 */
record LoadMeasurement(LoadResult result, long runs, Duration processor) {

    /** What a request costs the server, however much else the machine has to do. */
    double processorMicros() {
        return processor.toNanos() / 1e3 / Math.max(1, result.all());
    }

    double runsPerThousand() {
        return 1_000.0 * runs / Math.max(1, result.all());
    }

    /** How many requests one run answers. */
    double requestsPerRun() {
        return (double) result.all() / Math.max(1, runs);
    }

    /** Whether everybody was answered, and nobody wrongly. */
    boolean isRight() {
        return result.isRight();
    }

    double p50Millis() {
        return result.millis(50);
    }

    double p99Millis() {
        return result.millis(99);
    }
}
