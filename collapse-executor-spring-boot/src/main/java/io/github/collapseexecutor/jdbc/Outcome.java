package io.github.collapseexecutor.jdbc;

import org.jspecify.annotations.Nullable;

/** What one input of a batch came to: a value or a failure. */
record Outcome<V>(@Nullable V value, @Nullable Throwable failure) {

    static <V> Outcome<V> of(V value) {
        return new Outcome<>(value, null);
    }

    static <V> Outcome<V> failed(Throwable failure) {
        return new Outcome<>(null, failure);
    }
}
