package io.github.collapseexecutor.sample.springboot.load;

/**
 * What came of one way of serving.
 *
 * @param result what the connections experienced
 * @param runs how often the server did the work meanwhile
 */
record LoadMeasurement(LoadResult result, long runs) {

    double runsPerThousand() {
        return 1_000.0 * runs / Math.max(1, result.all());
    }

    double p50Millis() {
        return result.p50Nanos() / 1e6;
    }

    double p99Millis() {
        return result.p99Nanos() / 1e6;
    }
}
