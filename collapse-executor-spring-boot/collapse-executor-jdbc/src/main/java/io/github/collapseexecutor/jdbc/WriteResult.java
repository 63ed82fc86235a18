package io.github.collapseexecutor.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of one input of a batch: a value or a failure. */
record WriteResult<V>(@Nullable V value, @Nullable Throwable failure) {

    static <V> WriteResult<V> of(V value) {
        return new WriteResult<>(value, null);
    }

    static <V> WriteResult<V> failed(Throwable failure) {
        return new WriteResult<>(null, failure);
    }

    /** The results of a batch, in which null stands for an input that is undecided: it gets the given failure. */
    static <V> List<WriteResult<V>> all(List<@Nullable WriteResult<V>> results, Supplier<Throwable> forUndecided) {
        List<WriteResult<V>> all = new ArrayList<>(results.size());
        for (WriteResult<V> result : results) {
            all.add(result == null ? failed(forUndecided.get()) : result);
        }
        return all;
    }
}
