package io.github.collapseexecutor.sample.springboot.load;

import java.time.Duration;
import java.util.function.LongFunction;

/**
 * What connections ask for, and how often.
 *
 * @param path what is asked for, by the number of the request; no two requests have the same number
 * @param mustRise whether an answer must be younger than the one before on the same connection
 * @param connections how many there are, each of which asks for one thing at a time
 * @param perSecond how many requests are to be sent in a second, at equal distances, whatever becomes of those before; 0 if each
 *     connection asks again as soon as it is answered
 * @param warmUp how long it takes before anything is counted but failures and wrong answers
 * @param measured for how long it is counted
 */
record Load(
        LongFunction<String> path,
        boolean mustRise,
        int connections,
        int perSecond,
        Duration warmUp,
        Duration measured) {

    /** Connections each of which asks again as soon as it is answered. */
    static Load closed(
            LongFunction<String> path, boolean mustRise, int connections, Duration warmUp, Duration measured) {
        return new Load(path, mustRise, connections, 0, warmUp, measured);
    }

    boolean isOpen() {
        return perSecond > 0;
    }

    /** When a request of that index is to be sent, after the beginning. */
    long dueNanos(long index) {
        return index * 1_000_000_000L / perSecond;
    }
}
