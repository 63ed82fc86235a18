package io.github.collapseexecutor.http.call;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where the followers meet that one call left without an answer: those that make calls of their own wait for a place, and
 * those that gather again find the later calls. Both parts exist once somebody needs them; after a lone call, nobody does.
 */
final class UnansweredFollowers {

    // immutable
    private final int fanOutLimit;

    // mutable, by CAS: null -> what the first follower made that needed it
    private final AtomicReference<@Nullable ForwardLimiter> limiter = new AtomicReference<>();
    /** What came of the calls that followers made later, by what these followers have in common. */
    private final AtomicReference<@Nullable ConcurrentMap<Object, EndedCall>> later = new AtomicReference<>();

    UnansweredFollowers(int fanOutLimit) {
        this.fanOutLimit = fanOutLimit;
    }

    /** Returns where the followers wait that are to make calls of their own (H20). */
    ForwardLimiter limiter() {
        ForwardLimiter present = limiter.get();
        return present == null ? first(limiter, new ForwardLimiter(fanOutLimit)) : present;
    }

    /** Returns the later call of followers with this in common, null if none has ended. */
    @Nullable EndedCall later(Object common) {
        return laterCalls().get(common);
    }

    void rememberLater(Object common, EndedCall ended) {
        laterCalls().put(common, ended);
    }

    private ConcurrentMap<Object, EndedCall> laterCalls() {
        ConcurrentMap<Object, EndedCall> present = later.get();
        return present == null ? first(later, new ConcurrentHashMap<>()) : present;
    }

    /** The part that another follower has made meanwhile, or this one. */
    private static <T> T first(AtomicReference<@Nullable T> part, T made) {
        return part.compareAndSet(null, made) ? made : requireNonNull(part.get());
    }
}
