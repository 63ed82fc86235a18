package io.github.collapseexecutor.spring.annotation.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Futures that end when a stage does. Unlike a dependent of the JDK's, one that is cancelled cancels that stage. */
final class LinkedStages {

    /** Completes a future when its stage has ended; if it throws, the future fails. */
    interface End {

        void take(@Nullable Object value, @Nullable Throwable failure, CompletableFuture<@Nullable Object> answer)
                throws Exception;
    }

    /** What is done when a stage has ended. */
    private interface Then<T> {

        void take(T value, @Nullable Throwable failure) throws Exception;
    }

    private LinkedStages() {}

    /** Returns a future of a stage. */
    static CompletableFuture<@Nullable Object> after(CompletionStage<?> stage, End end) {
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        link(stage, answer, (value, failure) -> end.take(value, failure, answer));
        return answer;
    }

    /** Returns a future of what a stage's value is turned into. */
    static <T, R> CompletableFuture<R> mapped(CompletionStage<T> stage, Function<? super T, ? extends R> mapping) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        link(stage, answer, (value, failure) -> {
            if (failure == null) {
                answer.complete(mapping.apply(value));
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    /** Completes a future as a stage does. */
    static void link(CompletionStage<?> stage, CompletableFuture<@Nullable Object> answer) {
        link(stage, answer, (value, failure) -> end(value, failure, answer));
    }

    private static <T> void link(CompletionStage<T> stage, CompletableFuture<?> answer, Then<? super T> then) {
        CompletableFuture<?> unused = answer.whenComplete((value, failure) -> {
            if (answer.isCancelled()) {
                cancel(stage);
            }
        });
        CompletionStage<?> unusedEnd = stage.whenComplete((value, failure) -> {
            try {
                then.take(value, unwrapped(failure));
            } catch (Throwable thrown) { // an Error too: nothing else completes the answer
                answer.completeExceptionally(thrown);
            }
        });
    }

    /** Completes a future with one or the other. */
    static void end(@Nullable Object value, @Nullable Throwable failure, CompletableFuture<@Nullable Object> answer) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            boolean unused = stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            return; // CompletionStage allows it: such a stage ends by itself
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
