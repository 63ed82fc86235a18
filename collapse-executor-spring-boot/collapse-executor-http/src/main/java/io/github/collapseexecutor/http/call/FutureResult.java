package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.Stages;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The result of one request, for a caller that holds a future of it and leaves by cancelling that. The action that the request waits for is then
 * cancelled, and a response that comes nevertheless is closed.
 */
final class FutureResult<RESPONSE> {

    // immutable
    private final CallMachine machine;
    private final FutureExchange<RESPONSE> exchange;
    private final CompletableFuture<RESPONSE> result = new CompletableFuture<>();

    // mutable; written by the thread that takes the next step, read by the one that completes the result
    private volatile @Nullable CompletableFuture<?> awaited;

    FutureResult(CallMachine machine, FutureExchange<RESPONSE> exchange) {
        this.machine = machine;
        this.exchange = exchange;
    }

    /** Returns what the caller holds; to be asked for once, before the request takes its first step. */
    CompletableFuture<RESPONSE> forCaller() {
        Stages.whenEnded(result, (response, failure) -> {
            CompletableFuture<?> left = awaited;
            if (left != null) {
                left.cancel(true); // of no effect unless the caller leaves
            }
        });
        return machine.isListenedTo() ? told() : result;
    }

    /** The result for a caller that goes on when the listener has been told, or its client would end the request before. */
    private CompletableFuture<RESPONSE> told() {
        CompletableFuture<RESPONSE> told = new CompletableFuture<>();
        Stages.whenEnded(result, (response, failure) -> {
            machine.ended(failure, exchange.callerContext());
            if (failure != null) {
                told.completeExceptionally(failure);
            } else if (!told.complete(response)) {
                UnusedResponses.close(() -> exchange.close(response));
            }
        });
        Stages.whenEnded(told, (response, failure) -> result.cancel(true)); // of no effect unless the caller leaves
        return told;
    }

    /** From now on, the caller leaves by cancelling this. */
    void await(CompletableFuture<?> next) {
        awaited = next;
        if (result.isDone()) {
            next.cancel(true);
        }
    }

    /** Whether nobody waits for a response any more: the caller has left, or the request has failed. */
    boolean isDone() {
        return result.isDone();
    }

    void deliver(RESPONSE response) {
        if (!result.complete(response)) {
            UnusedResponses.close(() -> exchange.close(response));
        }
    }

    void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }
}
