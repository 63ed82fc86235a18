package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The call that one request makes if it becomes the leader of a batch: on behalf of all, whether or not its own caller is
 * still there when the response comes. What only the leader may have, it keeps for that caller, or closes it.
 */
final class FutureLead<RESPONSE> implements BatchCall<CompletionStage<Outcome>> {

    private enum State {
        /** Nobody has asked for the call. */
        WAITING,
        /** The call is being made, or has been. */
        LEADING,
        /** The caller has left, or has taken its response. */
        LEFT
    }

    private static final byte[] NO_BYTES = new byte[0];

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final FutureExchange<RESPONSE> exchange;
    private final CallerCourse course;
    private final @Nullable Regroup regroup;

    /** Cancelled by the core when nobody waits any more. */
    private final CompletableFuture<Outcome> call = new CompletableFuture<>();

    // mutable, by CAS: WAITING -> LEADING -> (the leader's response) -> LEFT; or WAITING -> LEFT; or LEADING -> LEFT
    private final AtomicReference<Object> state = new AtomicReference<>(State.WAITING);
    // mutable; written by the thread that makes the call
    private volatile boolean led;

    FutureLead(
            SharingRules rules,
            CollapsibleRequest request,
            FutureExchange<RESPONSE> exchange,
            CallerCourse course,
            @Nullable Regroup regroup) {
        this.rules = rules;
        this.request = request;
        this.exchange = exchange;
        this.course = course;
        this.regroup = regroup;
    }

    /** Whether this request was sent, so that what came of it is its own. */
    boolean hasLed() {
        return led;
    }

    /** Takes the caller out unless it leads; what it leads is not bound by its deadline. */
    boolean withdraw() {
        return state.compareAndSet(State.WAITING, State.LEFT);
    }

    /** The caller is gone, or has ended otherwise. */
    void leave() {
        RESPONSE unwanted = takeResponse();
        if (unwanted != null) {
            Closing.close(() -> exchange.close(unwanted));
        }
    }

    /** The response that is for the leader alone, if there is one; what comes later is closed. */
    @Nullable RESPONSE takeResponse() {
        Object previous = state.getAndSet(State.LEFT);
        if (previous instanceof State) {
            return null;
        }
        // Only give() sets anything else.
        @SuppressWarnings("unchecked")
        RESPONSE response = (RESPONSE) previous;
        return response;
    }

    private void give(RESPONSE response) {
        if (!state.compareAndSet(State.LEADING, response)) {
            Closing.close(() -> exchange.close(response));
        }
    }

    @Override
    public CompletionStage<Outcome> call(BatchHandle batch) {
        Outcome known = regroup == null ? null : regroup.known();
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        if (!state.compareAndSet(State.WAITING, State.LEADING)) {
            return CompletableFuture.completedFuture(
                    Outcome.noCall(rules.options().fanOutLimit()));
        }
        led = true;
        CompletableFuture<RESPONSE> sending = FutureCaller.send(exchange);
        cancelWithCall(sending);
        CompletableFuture<RESPONSE> unused = sending.whenComplete((response, failure) -> {
            if (failure != null) {
                fail(FutureCaller.unwrapped(failure));
            } else if (call.isDone()) {
                exchange.close(response);
            } else {
                received(response, batch);
            }
        });
        return call;
    }

    private void cancelWithCall(CompletableFuture<?> part) {
        CompletableFuture<Outcome> unused = call.whenComplete((outcome, failure) -> part.cancel(true));
    }

    private void received(RESPONSE response, BatchHandle batch) {
        ShareableHead head;
        CompletableFuture<CollectedBody<RESPONSE>> collecting;
        try {
            head = shareable(response);
            if (head == null || batch.isLone()) {
                keep(response);
                return;
            }
            collecting = exchange.collect(response, rules.options().maxBodySize());
        } catch (Throwable thrown) { // by the adapter; nobody must wait for ever
            Closing.close(() -> exchange.close(response), thrown);
            fail(thrown);
            return;
        }
        cancelWithCall(collecting);
        CompletableFuture<CollectedBody<RESPONSE>> unused = collecting.whenComplete((body, failure) -> {
            if (failure != null) {
                fail(FutureCaller.unwrapped(failure));
            } else if (call.isDone()) {
                exchange.close(body.response());
            } else {
                share(head, body);
            }
        });
    }

    private @Nullable ShareableHead shareable(RESPONSE response) {
        try {
            return rules.shareable(request, exchange.request(), exchange.headOf(response)) instanceof ShareableHead head
                    ? head
                    : null;
        } catch (RuntimeException unreadable) {
            rules.headWasUnreadable(request, unreadable);
            return null;
        }
    }

    private void share(ShareableHead head, CollectedBody<RESPONSE> body) {
        SharedResponse shared;
        try {
            byte[] bytes = body.bytes();
            if (bytes == null) {
                rules.bodyWasTooLarge(request);
                shared = null;
            } else {
                byte[] whole = head.isBodiless() ? NO_BYTES : bytes;
                shared = head.fits(whole.length) ? head.complete(whole, body.attachment()) : null;
            }
            if (shared != null) {
                give(exchange.answer(shared, SharedResponse.Receiver.LEADER));
            }
        } catch (Throwable thrown) { // by the adapter; nobody must wait for ever
            fail(thrown);
            return;
        }
        if (shared == null) {
            keep(body.response());
        } else {
            end(Outcome.shared(shared, rules.options().fanOutLimit()));
        }
    }

    /** The response is for the leader alone. */
    private void keep(RESPONSE response) {
        give(response);
        end(Outcome.unshared(rules.options().fanOutLimit()));
    }

    private void end(Outcome outcome) {
        if (regroup != null) {
            regroup.remember(outcome);
        }
        call.complete(outcome);
    }

    private void fail(Throwable failure) {
        if (call.isDone()) {
            return; // cancelled, because nobody waits
        }
        Outcome failed = Outcome.failed(
                failure, isTransportFailure(failure), rules.options().fanOutLimit());
        if (regroup != null) {
            regroup.remember(failed);
        }
        boolean shared = failure instanceof Error || course.choiceAfter(failed) == LeaderFailure.SHARE;
        call.completeExceptionally(shared ? failure : new FailedCall(failed));
    }

    private boolean isTransportFailure(Throwable failure) {
        try {
            return exchange.isTransportFailure(failure);
        } catch (Throwable thrown) { // by the adapter; nobody must wait for ever
            failure.addSuppressed(thrown);
            return false;
        }
    }
}
