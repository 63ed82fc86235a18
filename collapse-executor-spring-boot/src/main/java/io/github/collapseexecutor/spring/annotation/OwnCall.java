package io.github.collapseexecutor.spring.annotation;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The call that a caller makes itself, when its batch could not say what its answer is. */
final class OwnCall {

    private OwnCall() {}

    /**
     * Returns the answer of a batch, or that of the caller's own call.
     *
     * @param ofBatch cancelled if what is returned is
     * @param own makes the call, which returns a stage
     */
    static CompletableFuture<@Nullable Object> instead(
            CompletableFuture<@Nullable Object> ofBatch, Callable<@Nullable Object> own) {
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        CompletableFuture<@Nullable Object> unused = answer.whenComplete((value, failure) -> {
            if (answer.isCancelled()) {
                boolean unusedLeft = ofBatch.cancel(false);
            }
        });
        CompletableFuture<@Nullable Object> unusedEnd = ofBatch.whenComplete((value, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (value == BatchAnswers.OWN_CALL) {
                make(own, answer);
            } else {
                answer.complete(value);
            }
        });
        return answer;
    }

    @SuppressWarnings("unchecked") // the method's return type is a stage
    private static void make(Callable<@Nullable Object> own, CompletableFuture<@Nullable Object> answer) {
        try {
            Object returned = own.call();
            if (!(returned instanceof CompletionStage<?> stage)) {
                throw new NullPointerException("the method returned null in place of a CompletionStage");
            }
            CompletionStage<Object> unused = ((CompletionStage<Object>) stage).whenComplete((value, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else {
                    answer.complete(value);
                }
            });
        } catch (Exception failure) {
            answer.completeExceptionally(failure);
        }
    }
}
