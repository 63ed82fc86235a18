package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of {@link CompletionStage} do not do: an end that is only looked at, a cancellation that is passed on. Public because
 * other modules of the library use it.
 */
public final class Stages {

    private Stages() {}

    /**
     * Runs an action when a stage has ended, at once if it has. Nobody learns what the action throws.
     *
     * @param stage any stage
     * @param action is handed the value, or null and the failure
     * @param <T> the type of the value
     */
    public static <T extends @Nullable Object> void whenEnded(
            CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> action) {
        stage.whenComplete(action);
    }

    /** Maps a stage so that cancelling the result cancels the stage. */
    static <T extends @Nullable Object, R extends @Nullable Object> CompletionStage<R> map(
            @Nullable CompletionStage<? extends T> stage, Function<? super T, ? extends R> mapping) {
        if (stage == null) {
            throw new UnboundOutputException("The batch function returned null: it must return a stage of its result");
        }
        CompletableFuture<R> mapped = new CompletableFuture<R>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                try {
                    Stages.cancel(stage); // before dependents of the result, which may start the next call
                } finally {
                    super.cancel(mayInterruptIfRunning);
                }
                return isCancelled();
            }
        };
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                mapped.completeExceptionally(failure);
                return;
            }
            try {
                mapped.complete(mapping.apply(value));
            } catch (Throwable thrown) {
                mapped.completeExceptionally(thrown);
            }
        });
        return mapped;
    }

    /** Cancels a stage, if it is one that can be cancelled. */
    static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            return; // CompletionStage allows it: such a stage ends by itself.
        }
    }
}
