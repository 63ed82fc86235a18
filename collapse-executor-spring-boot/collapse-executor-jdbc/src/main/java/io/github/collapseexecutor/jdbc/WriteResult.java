package io.github.collapseexecutor.jdbc;

import org.jspecify.annotations.Nullable;

/** The result of one input of a batch: a value or a failure. */
record WriteResult<V>(@Nullable V value, @Nullable Throwable failure) {

    static <V> WriteResult<V> of(V value) {
        return new WriteResult<>(value, null);
    }

    static <V> WriteResult<V> failed(Throwable failure) {
        return new WriteResult<>(null, failure);
    }
}
