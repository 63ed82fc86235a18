package io.github.collapseexecutor.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What the keys of a function are called in the cluster: its name, and the key. */
final class KeyNames<K extends @Nullable Object, V extends @Nullable Object> {

    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    // immutable
    private final ClusterNode node;
    private final String name;
    private final ResultCodec<V> codec;
    private final boolean mayJoin;

    // mutable, thread-safe
    private final AtomicBoolean warned = new AtomicBoolean();

    KeyNames(ClusterNode node, String name, ResultCodec<V> codec, boolean mayJoin) {
        this.node = node;
        this.name = name;
        this.codec = codec;
        this.mayJoin = mayJoin;
    }

    SharedKeys<K, V> share(Collection<K> keys) {
        return new SharedKeys<>(keys, this::exchange, node.maxDelayNanos());
    }

    /** Returns null if the key has no form that is the same on all instances, for which one warning tells the remedy. */
    private @Nullable ResultExchange<V> exchange(K key) {
        try {
            byte[] bytes = PlainValues.keyOf(Arrays.asList(name, key));
            return new ResultExchange<>(node, "key", new String(bytes, StandardCharsets.ISO_8859_1), codec, mayJoin);
        } catch (IllegalArgumentException refused) {
            if (warned.compareAndSet(false, true)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "The function {0} does not share the value of a key with other instances: {1}. Make keys of texts,"
                                + " numbers, enums, UUIDs, dates and lists of them",
                        new Object[] {name, refused.getMessage()});
            }
            return null;
        }
    }
}
