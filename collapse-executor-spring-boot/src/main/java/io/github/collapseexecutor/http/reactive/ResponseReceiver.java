package io.github.collapseexecutor.http.reactive;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.BaseSubscriber;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Subscribes to an exchange on behalf of all who wait for its response, with the context of the one whose request it is. */
final class ResponseReceiver extends BaseSubscriber<ClientResponse> {

    // immutable
    private final Context context;
    private final CompletableFuture<ClientResponse> response = new CompletableFuture<>();

    ResponseReceiver(ContextView context) {
        this.context = Context.of(context);
        CompletableFuture<ClientResponse> unused = response.whenComplete((received, failure) -> {
            if (response.isCancelled()) {
                cancel();
            }
        });
    }

    /** Cancelling it cancels the exchange; a response that comes nevertheless is released. */
    CompletableFuture<ClientResponse> response() {
        return response;
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    protected void hookOnNext(ClientResponse received) {
        if (!response.complete(received)) {
            ReactiveExchange.release(received);
        }
    }

    @Override
    protected void hookOnError(Throwable failure) {
        response.completeExceptionally(failure);
    }

    @Override
    protected void hookOnComplete() {
        if (!response.isDone()) {
            response.completeExceptionally(new IllegalStateException("The exchange ended without a response"));
        }
    }
}
