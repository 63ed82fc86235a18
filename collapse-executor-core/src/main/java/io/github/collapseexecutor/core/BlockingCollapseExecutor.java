package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
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
     * Returns the outputs for many inputs, which are executed together, in as few batches as the options allow: those of a group stand in one batch,
     * up to its limits, with inputs of other callers.
     *
     * @param inputs what the batch function is to answer; equal ones are several inputs, as if several callers had submitted them
     * @return the outputs in order of the inputs; unmodifiable
     * @throws Exception if any input has failed, the failure of the first of these in their order, as it is, once all have ended;
     *     {@link #executeEach} gives the outcomes of the others, too. Besides, as {@link #executeEach}
     */
    default List<OUTPUT> executeAll(Collection<? extends INPUT> inputs) throws Exception {
        return executeAll(inputs, CallOptions.defaults());
    }

    /**
     * Does what {@link #executeAll(Collection)} does, with options of this caller's own.
     *
     * @param inputs what the batch function is to answer
     * @param options what this caller wants otherwise, for all inputs together
     * @return the outputs in order of the inputs; unmodifiable
     * @throws Exception as the method above
     */
    default List<OUTPUT> executeAll(Collection<? extends INPUT> inputs, CallOptions options) throws Exception {
        List<OUTPUT> outputs = new ArrayList<>(inputs.size());
        for (InputOutcome<OUTPUT> outcome : executeEach(inputs, options)) {
            outputs.add(outcome.output());
        }
        return Collections.unmodifiableList(outputs);
    }

    /**
     * Does what {@link #executeEach(Collection, CallOptions)} does, with the options of the executor.
     *
     * @param inputs what the batch function is to answer
     * @return an outcome for each input, in their order; unmodifiable
     * @throws InterruptedException as that method
     */
    default List<InputOutcome<OUTPUT>> executeEach(Collection<? extends INPUT> inputs) throws InterruptedException {
        return executeEach(inputs, CallOptions.defaults());
    }

    /**
     * Returns the outcomes for many inputs. They are executed together, as by {@link #executeAll(Collection)}, and each has an
     * outcome of its own: its output, or what {@link #execute(Object)} would have thrown for it. A time-out or a cancel signal ends the wait
     * for all that have none yet.
     *
     * <p>Each input counts as a caller. If they would exceed {@link CollapseOptions#maxPending() maxPending}, all are refused. The
     * calling thread runs the batches that it leads one after another; a batch that another caller leads runs meanwhile. Inputs that do not fit into a
     * batch are submitted when the thread has run it. If the executor is closed before, they fail with an {@link ExecutorClosedException}.
     *
     * @param inputs what the batch function is to answer; null and equal elements are inputs like any other. Changes of the
     *     collection after the call begins have no effect
     * @param options what this caller wants otherwise, for all inputs together
     * @return an outcome for each input, in their order; unmodifiable
     * @throws InterruptedException if the calling thread was interrupted: then all inputs that have no output leave
     * @throws ExecutorClosedException if the executor is closed
     * @throws java.util.concurrent.RejectedExecutionException if there is no room for all
     * @throws InvalidOptionException if the options ask for a join mode that this executor does not have
     */
    List<InputOutcome<OUTPUT>> executeEach(Collection<? extends INPUT> inputs, CallOptions options)
            throws InterruptedException;

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
