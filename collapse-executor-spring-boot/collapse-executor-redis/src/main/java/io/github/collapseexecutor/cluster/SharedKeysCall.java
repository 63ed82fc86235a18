package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchFunction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A blocking function by key that asks the cluster first; the thread of the batch waits, and makes every bulk call. */
final class SharedKeysCall<K extends @Nullable Object, V extends @Nullable Object>
        implements BatchFunction<Collection<K>, Map<K, V>> {

    // immutable
    private final Function<Collection<K>, SharedKeys<K, V>> sharing;
    private final BatchFunction<? super Collection<K>, ? extends Map<K, V>> function;

    SharedKeysCall(
            Function<Collection<K>, SharedKeys<K, V>> sharing,
            BatchFunction<? super Collection<K>, ? extends Map<K, V>> function) {
        this.sharing = sharing;
        this.function = function;
    }

    @Override
    public Map<K, V> apply(Collection<K> keys) throws Exception {
        SharedKeys<K, V> shared = sharing.apply(keys);
        shared.begin();
        try {
            for (List<K> called = await(shared); !called.isEmpty(); called = await(shared)) {
                call(shared, called);
            }
        } catch (Throwable broken) {
            shared.leave();
            throw broken;
        }
        return shared.result();
    }

    private static <K extends @Nullable Object> List<K> await(SharedKeys<K, ?> shared) throws Exception {
        shared.next().get();
        return shared.settle();
    }

    private void call(SharedKeys<K, V> shared, List<K> called) throws Exception {
        Map<K, V> returned;
        try {
            returned = function.apply(called);
        } catch (Throwable failure) {
            if (failure instanceof InterruptedException
                    || Thread.currentThread().isInterrupted()) {
                throw failure; // of this thread alone: the leases are given up
            }
            shared.failed(failure);
            if (failure instanceof Error || shared.commonFailure() == failure) {
                throw failure;
            }
            return;
        }
        shared.ended(returned);
    }
}
