package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of the keys of a batch, with the failures of single keys: what a function by key returns if some of its keys
 * failed and others did not.
 *
 * <pre>{@code
 * BatchFunction<Collection<Long>, Map<Long, User>> function = ids -> {
 *     Reply reply = client.fetchAll(ids);
 *     return KeyedResult.of(reply.users(), reply.errors());
 * };
 * }</pre>
 *
 * <p>It is a map of the values. The callers of a key that has a failure get that failure, as it is; whether it has a value too
 * does not matter. The callers of a key that has neither get what {@link MissingKeyPolicy} says.
 *
 * <p>The map of the values is not copied: it must not be changed any more. This object does not change.
 *
 * @param <K> a key
 * @param <V> a value
 */
public final class KeyedResult<K extends @Nullable Object, V extends @Nullable Object> extends AbstractMap<K, V> {

    // immutable
    private final Map<K, V> values;
    private final Map<K, Throwable> failures;

    private KeyedResult(Map<K, V> values, Map<K, Throwable> failures) {
        this.values = values;
        this.failures = failures;
    }

    /**
     * Returns a result of values and failures.
     *
     * @param values the values of the keys that have one
     * @param failures what the callers of other keys are to get instead
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> a value
     * @return the result
     * @throws NullPointerException if a failure is null
     */
    public static <K extends @Nullable Object, V extends @Nullable Object> KeyedResult<K, V> of(
            Map<K, V> values, Map<? extends K, ? extends Throwable> failures) {
        Map<K, Throwable> copy = new HashMap<>();
        failures.forEach(
                (key, failure) -> copy.put(key, requireNonNull(failure, "a failure is null: leave its key out")));
        return new KeyedResult<>(requireNonNull(values, "values"), copy);
    }

    /**
     * Returns the failures.
     *
     * @return an unmodifiable map
     */
    public Map<K, Throwable> failures() {
        return Collections.unmodifiableMap(failures);
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return Collections.unmodifiableMap(values).entrySet();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return values.containsKey(key);
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        return values.get(key);
    }
}
