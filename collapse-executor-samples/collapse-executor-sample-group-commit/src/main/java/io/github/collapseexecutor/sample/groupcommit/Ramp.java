package io.github.collapseexecutor.sample.groupcommit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * Users that come one after another, at equal distances in time.
 *
 * @param users how many there are at the end
 * @param rise the time from the first to the last
 */
record Ramp(int users, Duration rise) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Reads the setting {@code load.ramp}, such as {@code 500:60s}. */
    static Ramp parse(String value) {
        String[] parts = value.split(":", -1);
        if (parts.length == 2) {
            try {
                Ramp ramp =
                        new Ramp(Integer.parseInt(parts[0].strip()), DurationStyle.detectAndParse(parts[1].strip()));
                if (ramp.users >= 1 && ramp.rise.compareTo(SHORTEST) >= 0 && ramp.rise.compareTo(LONGEST) <= 0) {
                    return ramp;
                }
            } catch (IllegalArgumentException e) {
                throw refused(value, e);
            }
        }
        throw refused(value, null);
    }

    private static IllegalArgumentException refused(String value, @Nullable IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "load.ramp is \"" + value
                        + "\": it must be a number of users and the time in which they come, from 1s to 1h, such as 500:60s",
                cause);
    }

    /** How many seconds it is sampled for. */
    int seconds() {
        return Math.toIntExact(rise.toSeconds());
    }
}
