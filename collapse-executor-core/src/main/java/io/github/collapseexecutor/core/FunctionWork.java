package io.github.collapseexecutor.core;

import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The work of executors of a plain function: what it gives for a batch is asked for the answer of each input. */
final class FunctionWork {

    private FunctionWork() {}

    static <I extends @Nullable Object, O extends @Nullable Object> BatchWork<I, O, Answers<I, O>> of(
            BatchFunction<Collection<Input<I>>, Answers<I, O>> function, InputOptions<? super I> options) {
        return new BatchWork<I, O, Answers<I, O>>() {
            @Override
            public Answers<I, O> execute(Batch<I, O> batch) throws Exception {
                return function.apply(batch.inputs());
            }

            @Override
            public void bind(Answers<I, O> answers, Batch<I, O> batch) {
                answers.bindTo(batch.bundles());
            }

            @Override
            public long weightOf(I input) {
                return options.weightOf(input);
            }
        };
    }

    static <I extends @Nullable Object, O extends @Nullable Object> StageWork<I, O, Answers<I, O>> ofStages(
            BatchFunction<Collection<Input<I>>, CompletionStage<Answers<I, O>>> function,
            InputOptions<? super I> options) {
        return new StageWork<I, O, Answers<I, O>>() {
            @Override
            public CompletionStage<Answers<I, O>> execute(Batch<I, O> batch) throws Exception {
                return function.apply(batch.inputs());
            }

            @Override
            public void bind(Answers<I, O> answers, Batch<I, O> batch) {
                answers.bindTo(batch.bundles());
            }

            @Override
            public long weightOf(I input) {
                return options.weightOf(input);
            }
        };
    }
}
