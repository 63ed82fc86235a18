package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * Answers the inputs of a whole batch with one call.
 *
 * @param <INPUTS> the inputs of a batch
 * @param <OUTPUTS> the outputs of a batch, or a stage of them
 */
@FunctionalInterface
public interface BatchFunction<INPUTS, OUTPUTS extends @Nullable Object> {

    /**
     * Makes the call.
     *
     * @param inputs at least one input; unmodifiable
     * @return the outputs
     * @throws Exception what every caller of the batch is to get, as it is
     */
    OUTPUTS apply(INPUTS inputs) throws Exception;
}
