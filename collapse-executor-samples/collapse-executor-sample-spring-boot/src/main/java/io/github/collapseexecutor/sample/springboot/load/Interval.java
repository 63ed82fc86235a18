package io.github.collapseexecutor.sample.springboot.load;

import java.time.Duration;

/**
 * What came in a part of the time of a load.
 *
 * @param answers how many answers, other than failures
 * @param failed how many failures
 */
record Interval(long answers, long failed) {

    static final Duration LENGTH = Duration.ofMillis(250);

    double answersPerSecond() {
        return 1e9 * answers / LENGTH.toNanos();
    }

    double failedPerSecond() {
        return 1e9 * failed / LENGTH.toNanos();
    }
}
