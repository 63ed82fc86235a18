package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A batch executor of a function, run on an executor. */
final class AsyncFunctionExecutor<I extends @Nullable Object, O extends @Nullable Object>
        extends CollapseExecutorAsyncSupport<I, O, Answers<I, O>> {

    // immutable
    private final BatchFunction<Collection<Input<I>>, Answers<I, O>> function;

    AsyncFunctionExecutor(BatchFunction<Collection<Input<I>>, Answers<I, O>> function, CollapseOptions options) {
        super(requireNonNull(options, "options"));
        this.function = function;
    }

    @Override
    protected Answers<I, O> doExecute(Collection<Input<I>> inputs) throws Exception {
        return function.apply(inputs);
    }

    @Override
    protected void bindingOutput(Answers<I, O> answers, List<Bundle<I, CompletableFuture<O>>> bundles) {
        Answers.bindFutures(answers, bundles);
    }
}
