package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * Answers inputs one by one, from batches, to callers that wait.
 *
 * @param <INPUT> what callers submit
 * @param <OUTPUT> what callers get
 */
public interface BlockingCollapseExecutor<INPUT extends @Nullable Object, OUTPUT extends @Nullable Object>
        extends CollapseExecutor {

    /**
     * Returns the output for an input, which is executed together with the inputs that other callers submit at the same
     * time.
     *
     * @param input what the batch function is to answer
     * @return the output that was bound to this caller's input
     * @throws Exception what the batch function threw or bound to this input, as it is
     * @throws UnboundOutputException if the batch function bound nothing to this input
     * @throws InterruptedException if the calling thread was interrupted while it waited
     * @throws java.util.concurrent.TimeoutException if {@link CollapseOptions#callTimeout() callTimeout} passed while it
     *     waited
     * @throws java.util.concurrent.RejectedExecutionException if {@link CollapseOptions#maxPending() maxPending} callers
     *     are waiting already
     */
    OUTPUT execute(INPUT input) throws Exception;
}
