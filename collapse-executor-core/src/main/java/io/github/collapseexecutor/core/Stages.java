package io.github.collapseexecutor.core;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mapping a stage so that cancelling the result cancels the stage, which {@code thenApply} does not do. */
final class Stages {

    private Stages() {}

    static <T extends @Nullable Object, R extends @Nullable Object> CompletionStage<R> map(
            @Nullable CompletionStage<? extends T> stage, Function<? super T, ? extends R> mapping) {
        if (stage == null) {
            throw new UnboundOutputException("The batch function returned null: it must return a stage of its result");
        }
        CompletableFuture<R> mapped = new CompletableFuture<>();
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
        CompletableFuture<R> unused = mapped.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                cancel(stage);
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
