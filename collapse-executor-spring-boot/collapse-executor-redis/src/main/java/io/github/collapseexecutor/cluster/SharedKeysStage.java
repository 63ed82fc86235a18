package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A function by key that returns a stage and asks the cluster first; no thread waits. */
final class SharedKeysStage<K extends @Nullable Object, V extends @Nullable Object>
        implements BatchFunction<Collection<K>, CompletionStage<Map<K, V>>> {

    // immutable
    private final KeyNames<K, V> names;
    private final BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function;
    private final Executor free;

    /**
     * Creates a function.
     *
     * @param free runs what cannot run on a thread of the Redis client's
     */
    SharedKeysStage(
            KeyNames<K, V> names,
            BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function,
            Executor free) {
        this.names = names;
        this.function = function;
        this.free = free;
    }

    @Override
    public CompletionStage<Map<K, V>> apply(Collection<K> keys) {
        Run run = new Run(BatchHandle.current(), names.share(keys));
        run.proceed();
        return run.result;
    }

    /** One run, for one batch. */
    private final class Run {

        // immutable
        private final BatchHandle batch;
        private final SharedKeys<K, V> shared;
        private final CompletableFuture<Map<K, V>> result = new CompletableFuture<>();

        // mutable; whichever of set and cancel comes later cancels the stage
        private final AtomicReference<@Nullable CompletionStage<? extends Map<K, V>>> made = new AtomicReference<>();

        Run(BatchHandle batch, SharedKeys<K, V> shared) {
            this.batch = batch;
            this.shared = shared;
            shared.begin();
            CompletableFuture<Map<K, V>> unused = result.whenComplete((value, failure) -> {
                if (failure instanceof CancellationException) {
                    shared.leave();
                    cancelMade();
                }
            });
        }

        void proceed() {
            CompletableFuture<Void> next = shared.next();
            // If nothing is to be waited for, the call is made where it would be without a cluster. Else the decision
            // comes on a thread of the Redis client's, which must not wait for a user's code.
            CompletableFuture<Void> step =
                    next.isDone() ? next.thenRun(this::step) : next.thenRunAsync(this::step, free);
            CompletableFuture<Void> unused = step.exceptionally(failure -> {
                broken(failure);
                return null;
            });
        }

        private void step() {
            carryOut(shared.settle());
        }

        /** By this package, by a stage of a user's, or because there is no thread: no caller may wait for ever, and no lease stay. */
        private void broken(Throwable failure) {
            shared.leave();
            result.completeExceptionally(ResultExchange.unwrapped(failure));
        }

        private void carryOut(List<K> called) {
            if (called.isEmpty()) {
                result.complete(shared.result());
                return;
            }
            CompletionStage<? extends Map<K, V>> stage;
            try {
                stage = batch.nested(() -> function.apply(called));
                if (stage == null) {
                    throw new IllegalStateException(
                            "The batch function returned null: it must return a stage, which gives the values");
                }
            } catch (Throwable thrown) {
                ended(null, thrown);
                return;
            }
            made.set(stage);
            if (result.isCancelled()) {
                cancelMade();
            }
            stage.whenComplete((returned, failure) -> {
                try {
                    ended(returned, failure);
                } catch (Throwable thrown) {
                    broken(thrown);
                }
            });
        }

        private void ended(@Nullable Map<K, V> returned, @Nullable Throwable failure) {
            if (failure == null) {
                shared.ended(returned);
            } else {
                shared.failed(ResultExchange.unwrapped(failure));
                Throwable common = shared.commonFailure();
                if (common != null) {
                    result.completeExceptionally(common);
                    return;
                }
            }
            proceed();
        }

        private void cancelMade() {
            CompletionStage<? extends Map<K, V>> stage = made.get();
            if (stage != null) {
                try {
                    stage.toCompletableFuture().cancel(true);
                } catch (UnsupportedOperationException e) {
                    return; // CompletionStage allows it: such a stage ends by itself
                }
            }
        }
    }
}
