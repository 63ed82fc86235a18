package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future that a caller holds: whoever completes it but the engine (the caller cancels it, or a time-out of the
 * caller's ends it) makes the caller leave.
 */
final class CallFuture<R extends @Nullable Object> extends CompletableFuture<R> {

    // immutable
    private final FutureCall<?, ?, R> call;

    CallFuture(FutureCall<?, ?, R> call) {
        this.call = call;
    }

    /** Completes the future for the engine. */
    void answer(R output) {
        call.close();
        super.complete(output);
    }

    /** Completes the future for the engine. */
    void fail(Throwable failure) {
        call.close();
        super.completeExceptionally(failure);
    }

    @Override
    public boolean complete(R value) {
        return departed(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return departed(super.completeExceptionally(failure));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return departed(super.cancel(mayInterruptIfRunning));
    }

    private boolean departed(boolean byCaller) {
        if (byCaller && call.close()) {
            call.leave();
        }
        return byCaller;
    }
}
