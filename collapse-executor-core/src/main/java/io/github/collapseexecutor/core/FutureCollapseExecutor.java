package io.github.collapseexecutor.core;

import java.util.Collection;
import java.util.List;
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

    /**
     * Does what {@link #execute(Object)} does, with options of this caller's own.
     *
     * @param input what the batch function is to answer
     * @param options what this caller wants otherwise
     * @return a future as above; besides, it completes exceptionally with a {@link CallerTimeoutException} if the timeout of the
     *     options passed, and is cancelled when their signal comes
     * @throws InvalidOptionException if the options ask for a join mode that this executor does not have
     * @throws java.util.concurrent.RejectedExecutionException as above
     */
    CompletableFuture<OUTPUT> execute(INPUT input, CallOptions options);

    /**
     * Returns a future of the outputs for many inputs, which are executed together, in as few batches as the options allow: those of a group stand in
     * one batch, up to its limits, with inputs of other callers.
     *
     * @param inputs what the batch function is to answer; equal ones are several inputs, as if several callers had submitted them
     * @return a future of the outputs in order of the inputs, unmodifiable. If any input has failed, it completes exceptionally with the failure of the
     *     first of these in their order, once all have ended; {@link #executeEach} gives the outcomes of the others, too. Cancelling it cancels
     *     all inputs
     * @throws java.util.concurrent.RejectedExecutionException as {@link #executeEach(Collection, CallOptions)}
     */
    default CompletableFuture<List<OUTPUT>> executeAll(Collection<? extends INPUT> inputs) {
        return executeAll(inputs, CallOptions.defaults());
    }

    /**
     * Does what {@link #executeAll(Collection)} does, with options of this caller's own.
     *
     * @param inputs what the batch function is to answer
     * @param options what this caller wants otherwise, for each input
     * @return a future as above
     * @throws InvalidOptionException if the options ask for a join mode that this executor does not have
     * @throws java.util.concurrent.RejectedExecutionException as above
     */
    default CompletableFuture<List<OUTPUT>> executeAll(Collection<? extends INPUT> inputs, CallOptions options) {
        return FutureBulk.all(executeEach(inputs, options));
    }

    /**
     * Does what {@link #executeEach(Collection, CallOptions)} does, with the options of the executor.
     *
     * @param inputs what the batch function is to answer
     * @return a future for each input, in their order; unmodifiable
     * @throws java.util.concurrent.RejectedExecutionException as that method
     */
    default List<CompletableFuture<OUTPUT>> executeEach(Collection<? extends INPUT> inputs) {
        return executeEach(inputs, CallOptions.defaults());
    }

    /**
     * Returns a future of its own for each of many inputs, which are executed together, as by {@link #executeAll(Collection)}.
     *
     * <p>Each input counts as a caller. If they would exceed {@link CollapseOptions#maxPending() maxPending}, all are refused. An
     * input that cannot be submitted, because its group or {@code hashCode} fails, has that as its own failure.
     *
     * @param inputs what the batch function is to answer; null and equal elements are inputs like any other
     * @param options what this caller wants otherwise, for each input
     * @return a future for each input, in their order, as {@link #execute(Object, CallOptions)} returns it; unmodifiable
     * @throws ExecutorClosedException if the executor is closed
     * @throws java.util.concurrent.RejectedExecutionException if there is no room for all
     * @throws InvalidOptionException if the options ask for a join mode that this executor does not have
     */
    List<CompletableFuture<OUTPUT>> executeEach(Collection<? extends INPUT> inputs, CallOptions options);

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
