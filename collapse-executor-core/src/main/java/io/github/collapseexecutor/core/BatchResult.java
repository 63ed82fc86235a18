package io.github.collapseexecutor.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a batch function for a whole batch, to be asked for the part of each input. */
interface BatchResult<I extends @Nullable Object, O extends @Nullable Object> {

    /**
     * The output for one input.
     *
     * @param index the place of the input in its batch
     * @throws Exception the failure of the input's caller
     */
    O answer(int index, I input) throws Exception;

    /** Binds the output of each input, or what this input's answer failed with. */
    default void bindTo(List<Bundle<I, O>> bundles) {
        for (int index = 0; index < bundles.size(); index++) {
            Bundle<I, O> bundle = bundles.get(index);
            try {
                bundle.bindOutput(answer(index, bundle.getInput()));
            } catch (Throwable failure) { // of this caller's own input, for this caller alone
                bundle.bindError(failure);
            }
        }
    }
}
