package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future that a caller holds: any completion but the engine's (the caller cancels it, or a time-out of the
 * caller's ends it) makes the caller leave.
 *
 * <p>It knows its call only until the caller has come to its end, so that an answer which is kept does not keep the batch
 * with it, and the answers of others.
 */
final class CallerFuture<R extends @Nullable Object> extends CompletableFuture<R> {

    // mutable, by CAS: the call, then null once the caller has an answer or has left
    private final AtomicReference<@Nullable FutureCall<?, ?, R>> call;

    CallerFuture(FutureCall<?, ?, R> call) {
        this.call = new AtomicReference<>(call);
    }

    /** Completes the future for the engine. */
    void answer(R output) {
        close(null);
        super.complete(output);
    }

    /** Completes the future for the engine. */
    void fail(Throwable failure) {
        close(failure);
        super.completeExceptionally(failure);
    }

    /** Why the caller has left, as the future that it completed tells. */
    CallDeparture.Reason departure() {
        if (isCancelled()) {
            return CallDeparture.Reason.CANCELLED;
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Stages.whenEnded(this, (value, thrown) -> failure.set(thrown)); // it is complete
        return failure.get() instanceof TimeoutException
                ? CallDeparture.Reason.TIMED_OUT
                : CallDeparture.Reason.COMPLETED;
    }

    boolean isClosed() {
        return call.get() == null;
    }

    /** The caller has come to its end; returns its call the first time, and null later. */
    @Nullable FutureCall<?, ?, R> close(@Nullable Throwable failure) {
        FutureCall<?, ?, R> closed = call.get() == null ? null : call.getAndSet(null);
        if (closed != null) {
            closed.closed(failure);
        }
        return closed;
    }

    @Override
    public boolean complete(R value) {
        return departed(super.complete(value), null);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return departed(super.completeExceptionally(failure), failure);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return departed(super.cancel(mayInterruptIfRunning), null);
    }

    @Override
    public void obtrudeValue(R value) {
        super.obtrudeValue(value);
        departed(true, null);
    }

    @Override
    public void obtrudeException(Throwable failure) {
        super.obtrudeException(failure);
        departed(true, failure);
    }

    /** Overrides, from Java 9 on, a method that would complete the future unseen; does what that says. */
    @SuppressWarnings("MissingOverride") // Java 8, which this is compiled for, has no such method
    public CompletableFuture<R> completeAsync(Supplier<? extends R> supplier, Executor executor) {
        executor.execute(() -> {
            if (isDone()) {
                return;
            }
            try {
                complete(supplier.get());
            } catch (Throwable thrown) {
                completeExceptionally(thrown);
            }
        });
        return this;
    }

    private boolean departed(boolean byCaller, @Nullable Throwable failure) {
        if (byCaller) {
            FutureCall<?, ?, R> closed = close(failure);
            if (closed != null) {
                closed.leave();
            }
        }
        return byCaller;
    }
}
