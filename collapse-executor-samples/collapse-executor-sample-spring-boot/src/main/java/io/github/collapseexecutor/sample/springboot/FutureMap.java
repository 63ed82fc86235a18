package io.github.collapseexecutor.sample.springboot;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Joins calls in flight by a map of futures, as an application would write it by hand. Collapsing is measured beside it.
 *
 * @param <K> what is asked for
 * @param <V> the answer
 */
final class FutureMap<K, V> {

    // mutable, thread-safe
    private final ConcurrentMap<K, CompletableFuture<V>> running = new ConcurrentHashMap<>();

    /** Makes a call on this thread, or waits for the same call of another thread. */
    V get(K key, Supplier<V> call) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> other = running.putIfAbsent(key, mine);
        if (other != null) {
            return other.join();
        }
        try {
            V answer = call.get();
            running.remove(key);
            mine.complete(answer);
            return answer;
        } catch (RuntimeException | Error failure) {
            running.remove(key);
            mine.completeExceptionally(failure);
            throw failure;
        }
    }

    /** Begins a call, or joins the same call in flight. */
    CompletableFuture<V> getAsync(K key, Supplier<CompletableFuture<V>> call) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> other = running.putIfAbsent(key, mine);
        if (other != null) {
            return other;
        }
        CompletableFuture<V> unused = call.get().whenComplete((answer, failure) -> {
            running.remove(key);
            if (failure == null) {
                mine.complete(answer);
            } else {
                mine.completeExceptionally(failure);
            }
        });
        return mine;
    }
}
