package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A batch executor of a function, run without blocking. */
final class FutureFunctionExecutor<I extends @Nullable Object, O extends @Nullable Object>
        extends CollapseExecutorFutureSupport<I, O, Answers<I, O>> {

    // immutable
    private final BatchFunction<Collection<Input<I>>, CompletionStage<Answers<I, O>>> function;

    FutureFunctionExecutor(
            BatchFunction<Collection<Input<I>>, CompletionStage<Answers<I, O>>> function, CollapseOptions options) {
        super(requireNonNull(options, "options"));
        this.function = function;
    }

    @Override
    protected CompletionStage<Answers<I, O>> doExecute(Collection<Input<I>> inputs) throws Exception {
        return function.apply(inputs);
    }

    @Override
    protected void bindingOutput(Answers<I, O> answers, List<Bundle<I, CompletableFuture<O>>> bundles) {
        Answers.bindFutures(answers, bundles);
    }
}
