package io.github.collapseexecutor.benchmark;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The peer that a user would write: a map of the calls in flight, which later callers join.
 *
 * <p>It is the least that de-duplication costs, and it answers with results that were already under way when the caller
 * asked: what {@code JoinMode.IN_FLIGHT} does, not what {@code FRESH} promises.
 */
final class MapOfFutures implements Calls {

    // immutable
    private final ConcurrentHashMap<Object, CompletableFuture<Object>> calls = new ConcurrentHashMap<>();

    @Override
    public Object call(Object key, Callable<?> callable) throws Exception {
        CompletableFuture<Object> mine = new CompletableFuture<>();
        CompletableFuture<Object> present = calls.putIfAbsent(key, mine);
        if (present != null) {
            return present.get();
        }
        try {
            Object result = callable.call();
            calls.remove(key, mine);
            mine.complete(result);
            return result;
        } catch (Throwable failure) {
            calls.remove(key, mine);
            mine.completeExceptionally(failure);
            throw failure;
        }
    }
}
