package io.github.collapseexecutor.sample.rpcmerge;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many requests of each type have no answer yet, so that a type that is never answered takes no room from others.
 *
 * <p>Thread-safe. Types that were seen are remembered: there are 65536 at most.
 */
final class Places {

    /** What one request takes; to be given back when it ends, however it ends. */
    static final class Place {

        // immutable
        private final AtomicInteger taken;
        private final AtomicBoolean givenBack = new AtomicBoolean();

        private Place(AtomicInteger taken) {
            this.taken = taken;
        }

        /** Gives the place back; a second time has no effect. */
        void giveBack() {
            if (givenBack.compareAndSet(false, true)) {
                taken.decrementAndGet();
            }
        }
    }

    // immutable
    private final int maxPerType;
    private final ConcurrentMap<Integer, AtomicInteger> takenByType = new ConcurrentHashMap<>();

    Places(int maxPerType) {
        this.maxPerType = maxPerType;
    }

    /** Takes a place for a request of a type; null if there is none. */
    @Nullable Place take(int type) {
        AtomicInteger taken = takenByType.computeIfAbsent(type, any -> new AtomicInteger());
        if (taken.incrementAndGet() > maxPerType) {
            taken.decrementAndGet();
            return null;
        }
        return new Place(taken);
    }
}
