package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls a function by key for a batch: with distinct keys, of which those are left out whose {@code hashCode} or {@code
 * equals} fails, to the harm of their own callers only.
 */
final class KeyedFunction<K extends @Nullable Object, V extends @Nullable Object> implements BatchResult<K, V> {

    // immutable
    private final Map<UserKey, K> keys = new LinkedHashMap<>();
    private final Map<Integer, Throwable> refused = new HashMap<>();
    private final MissingKeyPolicy missing;

    // mutable, confined to the thread that executes and then to the one that binds
    private Map<K, V> values = Collections.emptyMap();
    private Map<K, Throwable> failures = Collections.emptyMap();

    private KeyedFunction(Collection<Input<K>> inputs, MissingKeyPolicy missing) {
        this.missing = missing;
        int index = 0;
        for (Input<K> input : inputs) {
            try {
                keys.putIfAbsent(new UserKey(input.value()), input.value());
            } catch (Throwable failure) {
                refused.put(index, failure);
            }
            index++;
        }
    }

    static <K extends @Nullable Object, V extends @Nullable Object>
            BatchFunction<Collection<Input<K>>, BatchResult<K, V>> of(
                    BatchFunction<? super Collection<K>, ? extends Map<K, V>> function, MissingKeyPolicy missing) {
        requireNonNull(function, "function");
        requireNonNull(missing, "missing");
        return inputs -> {
            KeyedFunction<K, V> call = new KeyedFunction<>(inputs, missing);
            return call.keys.isEmpty() ? call : call.with(function.apply(call.distinctKeys()));
        };
    }

    static <K extends @Nullable Object, V extends @Nullable Object>
            BatchFunction<Collection<Input<K>>, CompletionStage<BatchResult<K, V>>> ofStage(
                    BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function,
                    MissingKeyPolicy missing) {
        requireNonNull(function, "function");
        requireNonNull(missing, "missing");
        return inputs -> {
            KeyedFunction<K, V> call = new KeyedFunction<>(inputs, missing);
            return call.keys.isEmpty()
                    ? CompletableFuture.completedFuture(call)
                    : Stages.map(function.apply(call.distinctKeys()), call::with);
        };
    }

    private Collection<K> distinctKeys() {
        return new DistinctKeys<>(keys);
    }

    /** Shows the keys without the wrapping that keeps the failures of one from the others. */
    private static final class DistinctKeys<K extends @Nullable Object> extends AbstractSet<K> {

        // immutable
        private final Map<UserKey, K> keys;

        DistinctKeys(Map<UserKey, K> keys) {
            this.keys = Collections.unmodifiableMap(keys);
        }

        @Override
        public Iterator<K> iterator() {
            return keys.values().iterator();
        }

        @Override
        public int size() {
            return keys.size();
        }

        @Override
        public boolean contains(@Nullable Object key) {
            return keys.containsKey(new UserKey(key));
        }
    }

    private BatchResult<K, V> with(@Nullable Map<K, V> returned) {
        if (returned == null) {
            throw new UnboundOutputException(
                    "The batch function returned null: it must return a map, if need be empty");
        }
        values = returned;
        if (returned instanceof KeyedResult) {
            failures = ((KeyedResult<K, V>) returned).failures();
        }
        return this;
    }

    @Override
    public V answer(int index, K key) throws Exception {
        Throwable failure = refused.get(index);
        if (failure == null && !failures.isEmpty()) {
            failure = failures.get(key);
        }
        if (failure != null) {
            throw Failures.rethrow(failure);
        }
        V value = values.get(key);
        if (value == null && missing == MissingKeyPolicy.FAILURE && !values.containsKey(key)) {
            throw new UnboundOutputException(
                    "The batch function returned a map without this caller's key: return an entry"
                            + " for every key, or choose MissingKeyPolicy.NULL");
        }
        return ResultSlot.<V>cast(value);
    }
}
