package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers inputs one by one, from batches, to callers that hold a future.
 *
 * @param <INPUT> what callers submit
 * @param <OUTPUT> what callers get
 */
public interface FutureCollapseExecutor<INPUT extends @Nullable Object, OUTPUT extends @Nullable Object>
        extends CollapseExecutor {

    /**
     * Returns a future of the output for an input, which is executed together with the inputs that other callers submit at
     * the same time.
     *
     * @param input what the batch function is to answer
     * @return a future of the output that is bound to this caller's input, for this caller alone: cancelling it affects
     *     nobody else. It completes exceptionally with what the batch function threw or bound to this input, with an {@link
     *     UnboundOutputException} if it bound nothing, with what an executor refused the batch with, or with a {@link
     *     java.util.concurrent.TimeoutException} if {@link CollapseOptions#callTimeout() callTimeout} passed
     * @throws java.util.concurrent.RejectedExecutionException if {@link CollapseOptions#maxPending() maxPending} callers
     *     are waiting already
     */
    CompletableFuture<OUTPUT> execute(INPUT input);
}
