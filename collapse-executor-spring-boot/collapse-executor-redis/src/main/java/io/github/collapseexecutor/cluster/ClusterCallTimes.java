package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long the calls of each key take, a moving average of those that this instance has made itself, and whether it pays to share them.
 *
 * <p>A caller that takes another instance's result has asked Redis twice, and was sent a message between. A call that takes no longer than these
 * three ways is made at once, without Redis. Once in a while one of them asks all the same, so that it is known what Redis takes now. Longer calls
 * than a fifth of {@code maxDelay} are always shared: else a Redis that has too much to do would leave them all to the backend.
 *
 * <p>Only the keys are known that were asked for last; others are shared.
 */
final class ClusterCallTimes {

    /** So many calls are made before anything is said of the others. */
    static final int FEWEST = 8;

    /** Of so many calls that are too short, one asks. */
    static final int TRIAL = 64;

    private static final int WAYS = 3;
    private static final int PART_OF_DELAY = 5;
    private static final int WEIGHT = 8;
    private static final int MOST_KEYS = 1_024;

    private static final class Times {

        // mutable, guarded by the outer object
        int calls;
        long average;
        int tooShort;

        boolean areKnown() {
            return calls >= FEWEST;
        }
    }

    // immutable
    private final AnswerTimes answers;
    private final long longest;
    private final long alwaysShared;

    // mutable, guarded by this
    private final Map<ByteBuffer, Times> known = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Times> eldest) {
            return size() > MOST_KEYS;
        }
    };

    /** Knows nothing yet; {@code maxWait} is the longest that a call counts, because one that hangs says little of the others. */
    ClusterCallTimes(AnswerTimes answers, ClusterOptions options) {
        this.answers = answers;
        this.longest = options.maxWait().toNanos();
        this.alwaysShared = options.maxDelay().toNanos() / PART_OF_DELAY;
    }

    /** Takes note of a call that this instance has made, and that has not failed. */
    synchronized void took(byte[] name, long nanos) {
        Times times = known.computeIfAbsent(ByteBuffer.wrap(name), key -> new Times());
        times.calls = Math.min(FEWEST, times.calls + 1);
        times.average += (Math.min(nanos, longest) - times.average) / Math.min(WEIGHT, times.calls);
    }

    /** Whether the next call is to be shared. */
    synchronized boolean isSharingWorthIt(byte[] name) {
        Times times = known.get(ByteBuffer.wrap(name));
        if (times == null || !times.areKnown() || times.average >= Math.min(alwaysShared, WAYS * answers.usual())) {
            return true;
        }
        times.tooShort = (times.tooShort + 1) % TRIAL;
        return times.tooShort == 0;
    }

    /** Returns what calls take on average, in nanoseconds; 0 if that is not known. */
    synchronized long average(byte[] name) {
        Times times = known.get(ByteBuffer.wrap(name));
        return times == null || !times.areKnown() ? 0 : times.average;
    }
}
