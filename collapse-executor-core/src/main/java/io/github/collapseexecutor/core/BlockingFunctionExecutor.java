package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch executor of a function, run on the thread of a caller. */
final class BlockingFunctionExecutor<I extends @Nullable Object, O extends @Nullable Object>
        extends CollapseExecutorBlockingSupport<I, O, Answers<I, O>> {

    // immutable
    private final BatchFunction<Collection<Input<I>>, Answers<I, O>> function;

    BlockingFunctionExecutor(BatchFunction<Collection<Input<I>>, Answers<I, O>> function, CollapseOptions options) {
        super(requireNonNull(options, "options"));
        this.function = function;
    }

    @Override
    protected Answers<I, O> doExecute(Collection<Input<I>> inputs) throws Exception {
        return function.apply(inputs);
    }

    @Override
    protected void bindingOutput(Answers<I, O> answers, List<Bundle<I, O>> bundles) {
        Answers.bind(answers, bundles);
    }
}
