package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A function by key that returns a stage and asks the cluster first; no thread waits. */
final class SharedKeysStage<K extends @Nullable Object, V extends @Nullable Object>
        implements BatchFunction<Collection<K>, CompletionStage<Map<K, V>>> {

    // immutable
    private final Function<Collection<K>, SharedKeys<K, V>> sharing;
    private final BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function;
    private final Executor free;

    SharedKeysStage(
            Function<Collection<K>, SharedKeys<K, V>> sharing,
            BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function,
            Executor free) {
        this.sharing = sharing;
        this.function = function;
        this.free = free;
    }

    @Override
    public CompletionStage<Map<K, V>> apply(Collection<K> keys) {
        SharedKeys<K, V> shared = sharing.apply(keys);
        StageRun<Map<K, V>> run = new StageRun<>(free, shared::leave);
        shared.begin();
        proceed(shared, BatchHandle.current(), run);
        return run.result();
    }

    private void proceed(SharedKeys<K, V> shared, BatchHandle batch, StageRun<Map<K, V>> run) {
        run.then(shared.next(), nothing -> {
            List<K> called = shared.settle();
            if (called.isEmpty()) {
                run.result().complete(shared.result());
                return;
            }
            run.<Map<K, V>>make(batch, () -> function.apply(called), (returned, failure) -> {
                if (failure == null) {
                    shared.ended(returned);
                } else {
                    shared.failed(ResultExchange.unwrapped(failure));
                    Throwable common = shared.commonFailure();
                    if (common != null) {
                        run.result().completeExceptionally(common);
                        return;
                    }
                }
                proceed(shared, batch, run);
            });
        });
    }
}
