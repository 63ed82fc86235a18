package io.github.collapseexecutor.core;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a batch's stage: it decides whether the thread that began the batch goes on, or the thread that completes the stage.
 *
 * @param <I> the input
 * @param <O> what is bound to a call
 * @param <B> what the execution gives for the whole batch
 */
final class StageCompletion<I extends @Nullable Object, O extends @Nullable Object, B extends @Nullable Object>
        implements BiConsumer<@Nullable B, @Nullable Throwable> {

    private static final String PENDING = "pending";

    // immutable
    private final Batch<I, O> batch;
    private final BiConsumer<Batch<I, O>, Result<B>> goOn;

    // mutable, by CAS: null -> a Result, on which the thread goes on that began the batch; or null -> PENDING -> a
    // Result, on which the thread goes on that completes the stage
    private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

    /**
     * Creates the end of a stage that has not been made yet.
     *
     * @param goOn called by the thread that completes the stage, if that one goes on
     */
    StageCompletion(Batch<I, O> batch, BiConsumer<Batch<I, O>, Result<B>> goOn) {
        this.batch = batch;
        this.goOn = goOn;
    }

    @Override
    public void accept(@Nullable B output, @Nullable Throwable failure) {
        Result<B> result = new Result<>(ResultSlot.<B>cast(output), failure);
        if (!state.compareAndSet(null, result) && state.compareAndSet(PENDING, result)) {
            goOn.accept(batch, result);
        }
    }

    /** Returns the result if there is one already; if not, the thread that completes the stage goes on. */
    @Nullable Result<B> resultOrLeave() {
        if (state.compareAndSet(null, PENDING)) {
            return null;
        }
        // Only accept() sets anything else.
        @SuppressWarnings("unchecked")
        Result<B> result = (Result<B>) state.get();
        return result;
    }

    /** An output or a failure. */
    static final class Result<B extends @Nullable Object> {

        /** Not to be asked of a failure. */
        final B output;

        final @Nullable Throwable failure;

        Result(B output, @Nullable Throwable failure) {
            this.output = output;
            this.failure = failure;
        }
    }
}
