package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.NestedCall;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of a call that returns a stage: it ends whatever this package, a stage of a user's, or an executor without threads does. */
final class StageRun<R extends @Nullable Object> {

    // immutable
    private final Executor free;
    private final Runnable leave;
    private final CompletableFuture<R> result = new CompletableFuture<>();

    // mutable; whichever of set and cancel comes later cancels the stage
    private final AtomicReference<@Nullable CompletionStage<?>> made = new AtomicReference<>();

    /**
     * Begins a run.
     *
     * @param free runs what cannot run on a thread of the Redis client's
     * @param leave gives up what the cluster may wait for
     */
    StageRun(Executor free, Runnable leave) {
        this.free = free;
        this.leave = leave;
        CompletableFuture<R> unused = result.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                leave.run();
                cancelMade();
            }
        });
    }

    CompletableFuture<R> result() {
        return result;
    }

    /** Goes on where it would without a cluster if there is nothing to wait for, else not on the thread of the Redis client's. */
    static <T extends @Nullable Object> CompletableFuture<T> awaited(CompletableFuture<T> answer, Executor free) {
        return answer.isDone() ? answer : answer.thenApplyAsync(value -> value, free);
    }

    <T extends @Nullable Object> void then(CompletableFuture<T> answer, Consumer<? super T> step) {
        CompletableFuture<Void> unused = awaited(answer, free).thenAccept(step).exceptionally(failure -> {
            broken(failure);
            return null;
        });
    }

    /** No caller may wait for ever, and no lease stay. */
    private void broken(Throwable failure) {
        leave.run();
        result.completeExceptionally(ResultExchange.unwrapped(failure));
    }

    /**
     * Makes a call, unless the run was cancelled.
     *
     * @param ended is given what the call's stage has given, or its failure
     */
    <T extends @Nullable Object> void make(
            BatchHandle batch,
            NestedCall<? extends @Nullable CompletionStage<? extends T>, Exception> call,
            BiConsumer<? super @Nullable T, @Nullable Throwable> ended) {
        if (result.isDone()) {
            return;
        }
        CompletionStage<? extends T> stage;
        try {
            stage = batch.nested(call::call);
            if (stage == null) {
                throw new UnboundOutputException("The call returned null: it must return a stage of its result");
            }
        } catch (Throwable thrown) {
            ended.accept(null, thrown);
            return;
        }
        made.set(stage);
        if (result.isCancelled()) {
            cancelMade();
        }
        stage.whenComplete((value, failure) -> {
            try {
                ended.accept(value, failure);
            } catch (Throwable thrown) {
                broken(thrown);
            }
        });
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
