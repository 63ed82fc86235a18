package io.github.collapseexecutor.http.jdk;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;

/**
 * What a caller of {@code sendAsync} gets. Cancelling a future that was derived from it makes the caller leave too, as
 * {@code HttpClient.sendAsync} says of its futures.
 */
final class SendAsyncFuture<T> extends CompletableFuture<T> {

    /** A derived future may be kept for long, and must not keep the body of the response with it. */
    private final WeakReference<Delivery<?>> delivery;

    SendAsyncFuture(Delivery<?> delivery) {
        this(new WeakReference<>(delivery));
    }

    private SendAsyncFuture(WeakReference<Delivery<?>> delivery) {
        this.delivery = delivery;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new SendAsyncFuture<>(delivery);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean wasDone = isDone();
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Delivery<?> left = delivery.get();
        if (mayInterruptIfRunning && !wasDone && left != null) {
            left.cancel();
        }
        return cancelled;
    }
}
