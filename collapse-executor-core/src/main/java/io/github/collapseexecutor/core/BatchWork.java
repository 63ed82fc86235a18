package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * The work of a runner with a batch: it executes the batch, and binds the result.
 *
 * @param <I> the input
 * @param <O> what is bound to a call
 * @param <B> what the execution gives for the whole batch
 */
interface BatchWork<I extends @Nullable Object, O extends @Nullable Object, B extends @Nullable Object> {

    B execute(Batch<I, O> batch) throws Exception;

    void bind(B output, Batch<I, O> batch) throws Exception;

    /** The weight of an input; asked only where batches are bounded by weight. */
    default long weightOf(I input) {
        return 1;
    }
}
