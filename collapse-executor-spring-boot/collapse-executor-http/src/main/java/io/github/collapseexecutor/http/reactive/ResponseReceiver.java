package io.github.collapseexecutor.http.reactive;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Subscribes to an exchange on behalf of all callers that wait for its response, with the context of the leader. */
final class ResponseReceiver<RESPONSE> extends BaseSubscriber<RESPONSE> {

    // immutable
    private final Context context;
    private final Consumer<RESPONSE> release;
    private final CompletableFuture<RESPONSE> response = new CompletableFuture<>();

    // mutable, written once before there is a response
    private volatile @Nullable Subscription exchange;

    ResponseReceiver(ContextView context, Consumer<RESPONSE> release) {
        this.context = Context.of(context);
        this.release = release;
        CompletableFuture<RESPONSE> unused = response.whenComplete((received, failure) -> {
            if (response.isCancelled()) {
                cancel();
            }
        });
    }

    /** Cancelling it cancels the exchange; a response that comes nevertheless is released. */
    CompletableFuture<RESPONSE> response() {
        return response;
    }

    /** Tells the exchange, which a response does not end, that the subscriber leaves with the response, which may be unread. */
    void leave() {
        Subscription present = exchange;
        if (present != null) {
            present.cancel();
        }
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        exchange = subscription;
        requestUnbounded();
    }

    @Override
    protected void hookOnNext(RESPONSE received) {
        if (!response.complete(received)) {
            release.accept(received);
        }
    }

    @Override
    protected void hookOnError(Throwable failure) {
        response.completeExceptionally(failure);
    }

    @Override
    protected void hookOnComplete() {
        if (!response.isDone()) {
            response.completeExceptionally(new NoResponseException());
        }
    }

    /** Says that an exchange ended without a response, which is an end of its own kind; only this package sees it. */
    static final class NoResponseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoResponseException() {
            super("The exchange ended without a response", null, false, false);
        }
    }
}
