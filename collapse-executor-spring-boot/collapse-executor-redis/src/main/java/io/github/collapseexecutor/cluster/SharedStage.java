package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.Failures;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives {@link SharedKeys} for calls that return a stage: no thread waits. It ends whatever this package, a stage of a user's, or an executor
 * without threads does.
 */
final class SharedStage<K extends @Nullable Object, X extends @Nullable Object, T extends @Nullable Object> {

    // immutable
    private final KeysWork<K, ? extends @Nullable CompletionStage<? extends X>, X, T> work;
    private final SharedKeys<K, ?> shared;
    private final BatchHandle batch;
    /** Runs what cannot run on a thread of the Redis client's. */
    private final Executor free;

    private final CompletableFuture<T> result = new CompletableFuture<>();

    // mutable; whichever of set and cancel comes later cancels the stage
    private final AtomicReference<@Nullable CompletionStage<?>> made = new AtomicReference<>();

    private SharedStage(
            KeysWork<K, ? extends @Nullable CompletionStage<? extends X>, X, T> work,
            BatchHandle batch,
            Executor free) {
        this.work = work;
        this.shared = work.keys();
        this.batch = batch;
        this.free = free;
    }

    static <R extends @Nullable Object> BatchCall<CompletionStage<R>> of(
            ResultExchange<R> exchange, Callable<? extends CompletionStage<R>> call, Executor free) {
        return new BatchCall<>() {
            @Override
            public void opened() {
                if (call instanceof BatchCall<?> batchCall) {
                    batchCall.opened();
                }
            }

            @Override
            public CompletionStage<R> call(BatchHandle batch) {
                return new SharedStage<>(KeysWork.of(exchange, call), batch, free).begin();
            }
        };
    }

    static <K extends @Nullable Object, V extends @Nullable Object>
            BatchFunction<Collection<K>, CompletionStage<Map<K, V>>> byKey(
                    Function<Collection<K>, SharedKeys<K, V>> sharing,
                    BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function,
                    Executor free) {
        return keys ->
                new SharedStage<>(KeysWork.of(sharing.apply(keys), function), BatchHandle.current(), free).begin();
    }

    private CompletionStage<T> begin() {
        CompletableFuture<T> unused = result.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                shared.leave();
                cancelMade();
            }
        });
        shared.begin();
        proceed();
        return result;
    }

    private void proceed() {
        CompletableFuture<Void> unused = awaited(shared.next(), free)
                .thenAccept(nothing -> step())
                .exceptionally(failure -> {
                    broken(failure);
                    return null;
                });
    }

    /** Goes on where it would without a cluster if there is nothing to wait for, else not on the thread of the Redis client's. */
    static <T extends @Nullable Object> CompletableFuture<T> awaited(CompletableFuture<T> answer, Executor free) {
        return answer.isDone() ? answer : answer.thenApplyAsync(value -> value, free);
    }

    private void step() {
        List<K> keys = shared.settle();
        if (keys.isEmpty()) {
            try {
                result.complete(work.answer().call());
            } catch (Exception failure) {
                result.completeExceptionally(failure);
            }
        } else if (!result.isDone()) {
            make(keys);
        }
    }

    private void make(List<K> keys) {
        CompletionStage<? extends X> stage;
        try {
            BatchHandle handle = shared.handle(batch);
            stage = handle.nested(() -> work.call().call(keys, handle));
            if (stage == null) {
                throw new UnboundOutputException("The call returned null: it must return a stage of its result");
            }
        } catch (Throwable thrown) {
            failed(thrown);
            return;
        }
        made.set(stage);
        if (result.isCancelled()) {
            cancelMade();
        }
        stage.whenComplete((value, failure) -> {
            try {
                if (failure != null) {
                    failed(Failures.unwrapped(failure));
                } else {
                    work.ended().accept(value);
                    proceed();
                }
            } catch (Throwable thrown) {
                broken(thrown);
            }
        });
    }

    private void failed(Throwable failure) {
        shared.failed(failure);
        Throwable common = shared.commonFailure();
        if (common == null) {
            proceed();
        } else {
            result.completeExceptionally(common);
        }
    }

    /** No caller may wait for ever, and no lease stay. */
    private void broken(Throwable failure) {
        shared.leave();
        result.completeExceptionally(Failures.unwrapped(failure));
    }

    private void cancelMade() {
        CompletionStage<?> stage = made.get();
        if (stage != null) {
            try {
                stage.toCompletableFuture().cancel(true);
            } catch (UnsupportedOperationException e) {
                return; // CompletionStage allows it: such a stage ends by itself
            }
        }
    }
}
