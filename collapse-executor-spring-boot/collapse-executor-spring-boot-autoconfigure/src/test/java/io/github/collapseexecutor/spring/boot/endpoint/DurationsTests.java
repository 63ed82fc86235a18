package io.github.collapseexecutor.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the endpoint shows of how long calls took. */
class DurationsTests {

    private final Durations durations = new Durations();

    private double shown(String key) {
        return (double) durations.shown().get(key);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {1, 7, 8, 9, 15, 16, 17, 100, 1_000, 1_023, 1_024, 50_000, 3_600_000_000L, Long.MAX_VALUE / 1_000})
    void aDurationIsShownByTheEndOfItsClass_atMostAnEighthAbove(long micros) {
        durations.add(TimeUnit.MICROSECONDS.toNanos(micros));
        double millis = micros / 1_000.0;
        assertThat(shown("p50")).isGreaterThan(millis).isLessThanOrEqualTo(Math.max(millis + 0.001, millis * 1.1251));
    }

    @Test
    void percentilesAreOfAllThatWereAdded() {
        for (int millis = 1; millis <= 100; millis++) {
            durations.add(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        assertThat(shown("p50")).isBetween(50.0, 57.0);
        assertThat(shown("p99")).isBetween(99.0, 112.0);
        assertThat(((Map<?, ?>) durations.shown().get("upTo"))
                        .values().stream().mapToLong(count -> (Long) count).sum())
                .isEqualTo(100);
    }

    @Test
    void withoutAnyThereIsNothing() {
        assertThat(shown("p99")).isZero();
        durations.add(-1); // a clock that goes back
        assertThat(shown("p99")).isEqualTo(0.001);
    }
}
