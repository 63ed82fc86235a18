package io.github.collapseexecutor.benchmark;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * The peer that many have at hand: Caffeine's cache of futures, from which an entry is removed as soon as it has an answer,
 * so that it shares calls in flight and keeps nothing.
 *
 * <p>The caller that brings the future makes the call, on its own thread as in all the other ways: on an executor of the
 * cache each call would cost a hand-off, and inside the cache's own computation callers would wait for a lock.
 */
final class CaffeineCache implements Calls {

    // immutable
    private final AsyncCache<Object, Object> calls =
            Caffeine.newBuilder().executor(Runnable::run).buildAsync();

    @Override
    public Object call(Object key, Callable<?> callable) throws Exception {
        CompletableFuture<Object> mine = new CompletableFuture<>();
        CompletableFuture<Object> present = calls.get(key, (absent, executor) -> mine);
        if (present != mine) {
            return present.get();
        }
        try {
            Object result = callable.call();
            calls.asMap().remove(key, mine);
            mine.complete(result);
            return result;
        } catch (Throwable failure) {
            calls.asMap().remove(key, mine);
            mine.completeExceptionally(failure);
            throw failure;
        }
    }
}
