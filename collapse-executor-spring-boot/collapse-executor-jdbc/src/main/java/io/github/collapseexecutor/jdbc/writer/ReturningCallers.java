package io.github.collapseexecutor.jdbc.writer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Callers that have been answered and may come back at once with their next row. The writer that has answered them waits for
 * them for a moment before it starts the next batch, so that this batch holds them, too. Without that wait callers fall into two
 * halves: one half is written while the other comes back, and each commit serves half of them.
 *
 * <p>The wait ends when as many callers have come as were answered, at the latest after a part of the time that their batch took. If
 * most of them stayed away, the next batches do not wait: one at first, twice as many each time. Nor does a batch wait that took
 * little time itself. Public for other packages of the library only.
 */
public final class ReturningCallers {

    /** The longest wait, as a part of the time that the batch took. */
    private static final int PART = 4;

    /** What a few threads take to wake up: a shorter wait brings nobody. */
    private static final long SHORTEST_NANOS = 100_000;

    private static final int BATCHES_WITHOUT_AT_MOST = 64;

    /** What a caller that hands in a row offers its batch to, if it opens one. */
    private static final ThreadLocal<@Nullable Awaited> OFFERED_TO = new ThreadLocal<>();

    // mutable, thread-safe
    private final ConcurrentMap<Object, Awaited> awaited = new ConcurrentHashMap<>();

    // mutable, by any writer's thread: each is a hint
    private volatile int batchesWithout;
    private volatile int nextBatchesWithout = 1;

    /** Hands in an input of a group; a batch that this opens is offered to the writer that waits for callers of the group. */
    public <T> T handIn(Object group, Supplier<T> input) {
        Awaited callers = awaited.get(group);
        if (callers == null) {
            return input.get();
        }
        OFFERED_TO.set(callers);
        try {
            return input.get();
        } finally {
            OFFERED_TO.remove();
            callers.arrived();
        }
    }

    /** Offers a batch, which the calling thread has opened, to a waiting writer; false if there is none. */
    static boolean offer(Runnable batch) {
        Awaited callers = OFFERED_TO.get();
        return callers != null && callers.offer(batch);
    }

    /**
     * Expects the callers of a batch to come back, which the calling thread is about to answer.
     *
     * @param nanosOfBatch how long the batch took
     * @return to be closed by the same thread; null if nobody is to be waited for
     */
    public @Nullable Awaited expect(Object group, int callers, long nanosOfBatch) {
        long longest = nanosOfBatch / PART;
        if (longest < SHORTEST_NANOS) {
            return null;
        }
        int without = batchesWithout;
        if (without > 0) {
            batchesWithout = without - 1;
            return null;
        }
        Awaited returning = new Awaited(group, callers, longest);
        return awaited.putIfAbsent(group, returning) == null ? returning : null;
    }

    private void learn(boolean paid) {
        int next = nextBatchesWithout;
        if (paid) {
            nextBatchesWithout = 1;
        } else {
            batchesWithout = next;
            nextBatchesWithout = Math.min(BATCHES_WITHOUT_AT_MOST, 2 * next);
        }
    }

    private static void nothing() {}

    /** The callers of one batch. */
    public final class Awaited {

        private static final Runnable CLOSED = ReturningCallers::nothing;

        // immutable
        private final Object group;
        private final int callers;
        private final long longest;
        private final Thread writer = Thread.currentThread();

        // mutable, thread-safe
        private final AtomicInteger missing;
        // mutable, by CAS: null -> the batch that a caller has opened, or either -> CLOSED by the writer
        private final AtomicReference<@Nullable Runnable> opened = new AtomicReference<>();

        private Awaited(Object group, int callers, long longest) {
            this.group = group;
            this.callers = callers;
            this.longest = longest;
            this.missing = new AtomicInteger(callers);
        }

        private boolean offer(Runnable batch) {
            return opened.compareAndSet(null, batch);
        }

        private void arrived() {
            if (missing.decrementAndGet() == 0) {
                LockSupport.unpark(writer);
            }
        }

        /** Waits until all have come, or for as long as that may take. */
        void await() {
            long end = System.nanoTime() + longest;
            for (long left = longest; missing.get() > 0 && left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
            }
            learn(missing.get() <= callers / 2);
        }

        /** Expects nobody any more; gives the batch that one of them has opened, which is to be run, or null. */
        @Nullable Runnable close() {
            awaited.remove(group, this);
            return opened.getAndSet(CLOSED);
        }
    }
}
