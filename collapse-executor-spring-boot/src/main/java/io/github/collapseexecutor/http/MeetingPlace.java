package io.github.collapseexecutor.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the followers meet that one call left without an answer: those that make calls of their own wait for a place, and
 * those that gather again find the later calls. Both parts exist once somebody needs them; after a lone call, nobody does.
 */
final class MeetingPlace {

    // immutable
    private final int fanOutLimit;

    // mutable, guarded by this; nobody waits while holding the monitor
    private @Nullable ForwardLimiter limiter;
    /** What came of the calls that followers made later, by what these followers have in common. */
    private @Nullable ConcurrentMap<Object, EndedCall> later;

    MeetingPlace(int fanOutLimit) {
        this.fanOutLimit = fanOutLimit;
    }

    /** Returns where the followers wait that are to make calls of their own (H20). */
    synchronized ForwardLimiter limiter() {
        ForwardLimiter present = limiter;
        if (present == null) {
            limiter = present = new ForwardLimiter(fanOutLimit);
        }
        return present;
    }

    /** Returns the later call of followers with this in common, null if none has ended. */
    @Nullable EndedCall later(Object common) {
        return laterCalls().get(common);
    }

    void rememberLater(Object common, EndedCall ended) {
        laterCalls().put(common, ended);
    }

    private synchronized ConcurrentMap<Object, EndedCall> laterCalls() {
        ConcurrentMap<Object, EndedCall> present = later;
        if (present == null) {
            later = present = new ConcurrentHashMap<>();
        }
        return present;
    }
}
