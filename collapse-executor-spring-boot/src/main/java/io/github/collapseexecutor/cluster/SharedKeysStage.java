package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchFunction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A function by key that returns a stage and asks the cluster first; no thread waits. */
final class SharedKeysStage<K extends @Nullable Object, V extends @Nullable Object>
        implements BatchFunction<Collection<K>, CompletionStage<Map<K, V>>> {

    // immutable
    private final KeyNames<K, V> names;
    private final BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function;

    SharedKeysStage(
            KeyNames<K, V> names,
            BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function) {
        this.names = names;
        this.function = function;
    }

    @Override
    public CompletionStage<Map<K, V>> apply(Collection<K> keys) {
        Run run = new Run(names.share(keys));
        run.proceed();
        return run.result;
    }

    /** One run, for one batch. */
    private final class Run {

        // immutable
        private final SharedKeys<K, V> shared;
        private final CompletableFuture<Map<K, V>> result = new CompletableFuture<>();

        // mutable; whichever of set and cancel comes later cancels the stage
        private final AtomicReference<@Nullable CompletionStage<? extends Map<K, V>>> made = new AtomicReference<>();

        Run(SharedKeys<K, V> shared) {
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
            if (next.isDone()) { // nothing was to be waited for: the call is made where it would be without a cluster
                step();
            } else {
                // The thread that brings the decision is one of the Redis client's, which must not wait for a user's
                // code.
                CompletableFuture<Void> unused = next.thenRunAsync(this::step, ClusterThreads.free());
            }
        }

        private void step() {
            try {
                carryOut(shared.settle());
            } catch (Throwable broken) { // of this package: no caller may wait for ever
                shared.leave();
                result.completeExceptionally(broken);
            }
        }

        private void carryOut(List<K> called) {
            if (called.isEmpty()) {
                result.complete(shared.result());
                return;
            }
            CompletionStage<? extends Map<K, V>> stage;
            try {
                stage = function.apply(called);
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
            stage.whenComplete(this::ended);
        }

        private void ended(@Nullable Map<K, V> returned, @Nullable Throwable failure) {
            if (failure == null) {
                shared.ended(returned);
            } else {
                shared.failed(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
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
