package io.github.collapseexecutor.core;

import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The work of executors of a plain function: what it gives for a batch is asked for the answer of each input. */
final class FunctionWork {

    private FunctionWork() {}

    static <I extends @Nullable Object, O extends @Nullable Object> BatchWork<I, O, BatchResult<I, O>> of(
            BatchFunction<Collection<Input<I>>, BatchResult<I, O>> function, InputOptions<? super I> options) {
        return new BatchWork<I, O, BatchResult<I, O>>() {
            @Override
            public BatchResult<I, O> execute(Batch<I, O> batch) throws Exception {
                return function.apply(batch.inputs());
            }

            @Override
            public void bind(BatchResult<I, O> answers, Batch<I, O> batch) {
                answers.bindTo(batch.bundles());
            }

            @Override
            public long weightOf(I input) {
                return options.weightOf(input);
            }
        };
    }

    static <I extends @Nullable Object, O extends @Nullable Object> StageWork<I, O, BatchResult<I, O>> ofStages(
            BatchFunction<Collection<Input<I>>, CompletionStage<BatchResult<I, O>>> function,
            InputOptions<? super I> options) {
        return new StageWork<I, O, BatchResult<I, O>>() {
            @Override
            public CompletionStage<BatchResult<I, O>> execute(Batch<I, O> batch) throws Exception {
                return function.apply(batch.inputs());
            }

            @Override
            public void bind(BatchResult<I, O> answers, Batch<I, O> batch) {
                answers.bindTo(batch.bundles());
            }

            @Override
            public long weightOf(I input) {
                return options.weightOf(input);
            }
        };
    }
}
