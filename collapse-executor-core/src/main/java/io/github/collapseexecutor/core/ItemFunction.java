package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a function by key of one that returns items, in any order, which know their keys. */
final class ItemFunction {

    private ItemFunction() {}

    static <K extends @Nullable Object, V> BatchFunction<Collection<K>, Map<K, V>> of(
            BatchFunction<? super Collection<K>, ? extends Collection<? extends @Nullable V>> function,
            Function<? super V, ? extends K> keyOf) {
        requireNonNull(function, "function");
        requireNonNull(keyOf, "keyOf");
        return keys -> ItemFunction.<K, V>byKey(function.apply(keys), keyOf);
    }

    static <K extends @Nullable Object, V> BatchFunction<Collection<K>, CompletionStage<Map<K, V>>> ofStage(
            BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Collection<? extends @Nullable V>>>
                    function,
            Function<? super V, ? extends K> keyOf) {
        requireNonNull(function, "function");
        requireNonNull(keyOf, "keyOf");
        return keys -> Stages.map(function.apply(keys), items -> ItemFunction.<K, V>byKey(items, keyOf));
    }

    private static <K extends @Nullable Object, V> Map<K, V> byKey(
            @Nullable Collection<? extends @Nullable V> items, Function<? super V, ? extends K> keyOf) {
        if (items == null) {
            throw new UnboundOutputException(
                    "The batch function returned null: it must return a collection of items, if need be an empty one");
        }
        Map<K, V> found = new HashMap<>();
        Map<K, Throwable> doubled = new HashMap<>();
        for (V item : items) {
            if (item == null) {
                continue;
            }
            K key = keyOf.apply(item);
            if (found.put(key, item) != null) {
                doubled.put(
                        key,
                        new UnboundOutputException(
                                "The batch function returned more than one item for this caller's key:"
                                        + " return one, or use a function from keys to a map"));
            }
        }
        return KeyedResult.of(found, doubled);
    }
}
