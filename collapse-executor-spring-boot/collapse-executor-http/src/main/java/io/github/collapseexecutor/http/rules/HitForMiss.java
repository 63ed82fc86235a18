package io.github.collapseexecutor.http.rules;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys whose last response was of no use to others (hit-for-miss, H21): requests with such a key are sent at once, each
 * by itself, instead of waiting for a response that they are going to be refused.
 *
 * <p>It keeps digests of the keys: a key has credentials in it, and is remembered long after its requests are gone.
 *
 * <p>Bounded: of too many keys, those not asked for the longest are forgotten, which costs their callers one call's time.
 */
final class HitForMiss {

    private static final int CAPACITY = 4096;

    /** Why a key is remembered, which says what it takes to forget it. */
    private enum Cause {
        HEAD,
        BODY_OF_UNKNOWN_LENGTH
    }

    private record Refusal(long since, Cause cause) {}

    // immutable
    private final long ttl;
    private final HttpTime time;
    private final KeyDigests digests = new KeyDigests();
    /** All requests meet here, those of thousands of virtual threads, too, which may wait for a monitor for very long. */
    private final ReentrantLock lock = new ReentrantLock();

    // mutable, guarded by the lock
    private final Map<ByteBuffer, Refusal> refusals = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Refusal> eldest) {
            return size() > CAPACITY;
        }
    };

    // mutable; false as long as there is nothing to look up, written under the lock
    private volatile boolean used;

    HitForMiss(Duration ttl, HttpTime time) {
        this.ttl = ttl.toNanos();
        this.time = time;
    }

    boolean contains(RequestKey key) {
        if (!used) {
            return false;
        }
        ByteBuffer digest = digests.of(key);
        lock.lock();
        try {
            Refusal refusal = refusals.get(digest);
            if (refusal == null) {
                return false;
            }
            if (time.nanoTime() - refusal.since() < ttl) {
                return true;
            }
            remove(digest);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The header section forbade it. */
    void rememberForHead(RequestKey key) {
        remember(key, Cause.HEAD);
    }

    /** The body turned out to be larger than may be shared; its header section had not said so. */
    void rememberForBody(RequestKey key) {
        remember(key, Cause.BODY_OF_UNKNOWN_LENGTH);
    }

    private void remember(RequestKey key, Cause cause) {
        if (ttl == 0) {
            return;
        }
        ByteBuffer digest = digests.of(key);
        lock.lock();
        try {
            refusals.put(digest, new Refusal(time.nanoTime(), cause));
            used = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A header section has come that allows sharing.
     *
     * @param lengthKnown whether it says that the body is small enough; if not, it is no news of one that was too large
     */
    void forget(RequestKey key, boolean lengthKnown) {
        if (!used) {
            return;
        }
        ByteBuffer digest = digests.of(key);
        lock.lock();
        try {
            Refusal refusal = refusals.get(digest);
            if (refusal != null && (lengthKnown || refusal.cause() == Cause.HEAD)) {
                remove(digest);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many keys are remembered now. */
    int size() {
        if (!used) {
            return 0;
        }
        long now = time.nanoTime();
        lock.lock();
        try {
            return (int) refusals.values().stream()
                    .filter(refusal -> now - refusal.since() < ttl)
                    .count();
        } finally {
            lock.unlock();
        }
    }

    void forgetAll() {
        lock.lock();
        try {
            refusals.clear();
            used = false;
        } finally {
            lock.unlock();
        }
    }

    private void remove(ByteBuffer digest) {
        refusals.remove(digest);
        used = !refusals.isEmpty();
    }
}
