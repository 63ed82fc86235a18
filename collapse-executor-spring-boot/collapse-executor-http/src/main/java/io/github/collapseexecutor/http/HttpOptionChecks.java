package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.InvalidOptionException;
import java.time.Duration;
import java.util.regex.Pattern;

/** What the values of {@link HttpCollapseOptions} must be; each method returns the value that it accepts. */
final class HttpOptionChecks {

    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z][A-Za-z0-9_.:/-]*");

    /** Some virtual machines cannot allocate the last few indices of an array. */
    private static final long LARGEST_MAX_BODY_SIZE = Integer.MAX_VALUE - 8L;

    private HttpOptionChecks() {}

    static long maxBodySize(long bytes) {
        if (bytes < 0 || bytes > LARGEST_MAX_BODY_SIZE) {
            throw new InvalidOptionException(
                    "maxBodySize", bytes, "it must be a number of bytes from 0 to " + LARGEST_MAX_BODY_SIZE);
        }
        return bytes;
    }

    static int fanOutLimit(int requests) {
        if (requests < 1) {
            throw new InvalidOptionException("fanOutLimit", requests, "it must be a number of requests of at least 1");
        }
        return requests;
    }

    static Duration passTtl(Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new InvalidOptionException("passTtl", duration, "it must be a duration from 0 to 365 days");
        }
        return duration;
    }

    static Duration followerTimeout(Duration duration) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
            throw new InvalidOptionException(
                    "followerTimeout",
                    duration,
                    "it must be a positive duration of at most 365 days; leave it unset for no bound");
        }
        return duration;
    }

    static String cacheStatus(String name) {
        if (!TOKEN.matcher(name).matches()) {
            throw new InvalidOptionException(
                    "cacheStatus",
                    "'" + name + "'",
                    "it must be a name of letters, digits and -_.:/ that begins with a letter");
        }
        return name;
    }
}
