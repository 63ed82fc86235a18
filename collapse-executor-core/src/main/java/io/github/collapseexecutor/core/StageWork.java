package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A {@link BatchWork} whose execution goes on after the call that began it. */
interface StageWork<I extends @Nullable Object, O extends @Nullable Object, B extends @Nullable Object> {

    @Nullable CompletionStage<? extends B> execute(Batch<I, O> batch) throws Exception;

    void bind(B output, Batch<I, O> batch) throws Exception;

    /** The weight of an input; asked only where batches are bounded by weight. */
    default long weightOf(I input) {
        return 1;
    }

    /** Whether the function may block the thread that calls it. */
    default boolean mayBlock() {
        return false;
    }

    /** An input has opened a batch that may not start yet. */
    default void opened(I input) {}

    /** Work that has ended when its execution returns. */
    static <I extends @Nullable Object, O extends @Nullable Object, B extends @Nullable Object> StageWork<I, O, B> of(
            BatchWork<I, O, B> work) {
        return new StageWork<I, O, B>() {
            @Override
            public CompletionStage<? extends B> execute(Batch<I, O> batch) throws Exception {
                return CompletableFuture.completedFuture(work.execute(batch));
            }

            @Override
            public boolean mayBlock() {
                return true;
            }

            @Override
            public void bind(B output, Batch<I, O> batch) throws Exception {
                work.bind(output, batch);
            }

            @Override
            public long weightOf(I input) {
                return work.weightOf(input);
            }
        };
    }
}
