package io.github.collapseexecutor.core;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A caller that holds a future of the outcome. */
final class FutureCall<I extends @Nullable Object, O extends @Nullable Object, R extends @Nullable Object>
        extends Call<I, O> {

    // immutable
    final CallerFuture<R> future = new CallerFuture<>(this);
    private final FutureRunner<I, O, ?, R> runner;

    // mutable; set once, by the submitting thread before it submits
    /** The batch from inside which the call was made, or null. */
    private @Nullable Batch<?, ?> from;

    // mutable; set once, by the submitting thread
    private volatile @Nullable Future<?> timeout;

    FutureCall(I input, FutureRunner<I, O, ?, R> runner) {
        super(input);
        this.runner = runner;
    }

    /** Takes note of the batch from inside which the call is made, if there is one; to be called once, before it is submitted. */
    @Nullable Batch<?, ?> beginNested() {
        from = runner.engine().beginNested();
        return from;
    }

    @Override
    void deliver() {
        Throwable failure = failure();
        if (failure != null) {
            future.fail(failure);
            return;
        }
        try {
            runner.answer(ResultSlot.<O>cast(output()), future);
        } catch (Throwable thrown) {
            // By a future that the batch function bound; the other callers are still to be served.
            future.fail(thrown);
        }
    }

    void timeOutBy(Future<?> timer) {
        timeout = timer;
        if (future.isClosed()) {
            timer.cancel(false);
        }
    }

    /** The caller has come to its end; called once. */
    void closed(@Nullable Throwable failure) {
        Future<?> timer = timeout;
        if (timer != null) {
            timer.cancel(false);
        }
        if (from != null) {
            from.endNested();
        }
        runner.engine().admission().release();
        runner.ended(this, failure);
    }

    @Nullable Batch<?, ?> from() {
        return from;
    }

    void leave() {
        runner.leave(this);
    }
}
