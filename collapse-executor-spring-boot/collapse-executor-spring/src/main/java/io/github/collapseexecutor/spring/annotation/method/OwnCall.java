package io.github.collapseexecutor.spring.annotation.method;

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
     * @param own makes the call, which returns a stage; it is cancelled, too
     */
    static CompletableFuture<@Nullable Object> instead(
            CompletableFuture<@Nullable Object> ofBatch, Callable<@Nullable Object> own) {
        return LinkedStages.after(ofBatch, (value, failure, answer) -> {
            if (value == BatchAnswers.OWN_CALL) {
                make(own, answer);
            } else {
                LinkedStages.end(value, failure, answer);
            }
        });
    }

    private static void make(Callable<@Nullable Object> own, CompletableFuture<@Nullable Object> answer)
            throws Exception {
        if (!(own.call() instanceof CompletionStage<?> stage)) {
            throw new NullPointerException("the method returned null in place of a CompletionStage");
        }
        LinkedStages.link(stage, answer);
    }
}
