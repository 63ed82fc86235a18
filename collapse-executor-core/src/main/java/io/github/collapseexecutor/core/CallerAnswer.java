package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers a caller with the output that was bound to its call.
 *
 * @param <O> what is bound to a call
 * @param <R> what the caller's future gives
 */
interface CallerAnswer<O extends @Nullable Object, R extends @Nullable Object> {

    void give(O output, CallerFuture<R> future);

    /** The output that was bound is the answer. */
    static <O extends @Nullable Object> CallerAnswer<O, O> direct() {
        return (output, future) -> future.answer(output);
    }

    /** The output that was bound is a future of the answer. */
    static <R extends @Nullable Object> CallerAnswer<@Nullable CompletableFuture<R>, R> byFuture() {
        return (output, future) -> {
            if (output == null) {
                future.fail(new UnboundOutputException(
                        "The batch function bound null: it must bind a CompletableFuture of the output"));
                return;
            }
            Stages.whenEnded(output, (value, failure) -> {
                if (failure == null) {
                    future.answer(value);
                } else {
                    future.fail(Failures.unwrapped(failure));
                }
            });
        };
    }
}
