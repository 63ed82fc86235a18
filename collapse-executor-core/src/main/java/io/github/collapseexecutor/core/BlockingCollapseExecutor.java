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

    /**
     * Does what {@link #execute(Object)} does, with options of this caller's own.
     *
     * @param input what the batch function is to answer
     * @param options what this caller wants otherwise; neither their timeout nor their signal cuts short a batch function that
     *     runs on the caller's own thread
     * @return the output that was bound to this caller's input
     * @throws Exception as the method above; besides, a {@link CallerTimeoutException} if the timeout of the options passed
     *     while the caller waited, a {@link java.util.concurrent.CancellationException} if their signal came, and an {@link
     *     InvalidOptionException} if they ask for a join mode that this executor does not have
     */
    OUTPUT execute(INPUT input, CallOptions options) throws Exception;

    /**
     * Lets no later call share what is in flight for an input, after a write that changes its answer: with {@link
     * JoinMode#IN_FLIGHT}, calls that begin after this method has returned join no execution that started before it was called.
     * The callers that have joined it get its answer. Inputs that wait for their execution are not affected, because it
     * will start after the write. With {@link JoinMode#FRESH}, no call shares what is in flight, and this does nothing.
     *
     * @param input the input, by {@code equals}; if that or its grouping throws, this method does
     */
    void forget(INPUT input);
}
