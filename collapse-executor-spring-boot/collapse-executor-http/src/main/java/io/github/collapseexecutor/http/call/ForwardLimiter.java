package io.github.collapseexecutor.http.call;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places of requests that were released at the same time to make calls of their own (H20): so many at once, the others in
 * order of arrival as soon as one of them has its answer.
 */
final class ForwardLimiter {

    // mutable, thread-safe
    private final AtomicInteger free;
    private final Queue<CompletableFuture<@Nullable Void>> waiting = new ConcurrentLinkedQueue<>();
    /** How many threads wanted places to be given since no thread gave any; only the thread that raises it from 0 gives. */
    private final AtomicInteger wanted = new AtomicInteger();

    ForwardLimiter(int limit) {
        this.free = new AtomicInteger(limit);
    }

    /** Returns a future of a place, to be given back by {@link #leave()}; a caller that completes it first wants none. */
    CompletableFuture<@Nullable Void> enter() {
        CompletableFuture<@Nullable Void> place = new CompletableFuture<>();
        waiting.add(place);
        give();
        return place;
    }

    void leave() {
        free.incrementAndGet();
        give();
    }

    /** In a loop, not by recursion, however many leave as soon as they have entered. */
    private void give() {
        if (wanted.getAndIncrement() != 0) {
            return;
        }
        int served = 1;
        while (served != 0) {
            while (free.get() > 0) {
                CompletableFuture<@Nullable Void> next = waiting.poll();
                if (next == null) {
                    break;
                }
                free.decrementAndGet();
                if (!next.complete(null)) {
                    free.incrementAndGet();
                }
            }
            served = wanted.addAndGet(-served);
        }
    }
}
