package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.Failures;
import io.github.collapseexecutor.core.Stages;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.rules.HttpTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Carries out the commands of a {@link LeaderMachine} by callbacks, if one request becomes the leader of a batch: on behalf of
 * all, whether or not its own caller is still there when the response comes. The leader's response waits here for that caller,
 * or is closed if the caller has left.
 */
final class FutureLead<RESPONSE> implements BatchCall<CompletionStage<EndedCall>> {

    private enum State {
        /** Nobody has asked for the call. */
        WAITING,
        /** The call is being made, or has been. */
        LEADING,
        /** The caller has left, or has taken its response. */
        LEFT
    }

    // immutable
    private final CallMachine machine;
    private final FutureExchange<RESPONSE> exchange;
    private final HttpTime time;

    /** Cancelled by the core when nobody waits any more. */
    private final CompletableFuture<EndedCall> call = new CompletableFuture<>();

    // mutable, by CAS: WAITING -> LEADING -> (the leader's response) -> LEFT; or WAITING -> LEFT; or LEADING -> LEFT
    private final AtomicReference<Object> state = new AtomicReference<>(State.WAITING);
    // mutable; written by the thread that makes the call
    private volatile boolean led;

    FutureLead(CallMachine machine, FutureExchange<RESPONSE> exchange, HttpTime time) {
        this.machine = machine;
        this.exchange = exchange;
        this.time = time;
    }

    /** Whether this request was sent, so that what came of it is its own. */
    boolean hasLed() {
        return led;
    }

    /** Takes the caller out unless it leads; what it leads is not bound by its deadline. */
    boolean withdraw() {
        return state.compareAndSet(State.WAITING, State.LEFT);
    }

    /** The caller is gone, or has ended otherwise; a response that comes later is closed. */
    void leave() {
        Object previous = state.getAndSet(State.LEFT);
        if (!(previous instanceof State)) {
            close(cast(previous));
        }
    }

    /** Whether there is a response for the leader, which nobody has taken. */
    boolean hasResponse() {
        return !(state.get() instanceof State);
    }

    /** Takes the leader's response, after the call has ended with one. */
    RESPONSE takeResponse() {
        Object previous = state.getAndSet(State.LEFT);
        if (previous instanceof State) {
            throw new IllegalStateException("The leader has no response, it is " + previous);
        }
        return cast(previous);
    }

    // Only give() sets anything but a State.
    @SuppressWarnings("unchecked")
    private RESPONSE cast(Object response) {
        return (RESPONSE) response;
    }

    private void give(RESPONSE response) {
        if (!state.compareAndSet(State.LEADING, response)) {
            close(response);
        }
    }

    private void close(RESPONSE response) {
        UnusedResponses.close(() -> exchange.close(response));
    }

    @Override
    public CompletionStage<EndedCall> call(BatchHandle batch) {
        LeaderMachine leader = machine.lead(batch);
        if (state.compareAndSet(State.WAITING, State.LEADING)) {
            take(leader, leader.start());
        } else {
            take(leader, leader.withdrawn());
        }
        return call;
    }

    @Override
    public void opened() {
        exchange.opened();
    }

    /** Carries out the commands that need no response. */
    private void take(LeaderMachine leader, Command.OfCall next) {
        if (next instanceof Command.AskInstances ask) {
            led = true;
            ask(leader, ask);
        } else if (next instanceof Command.Share share) {
            answer(leader, share);
        } else if (next instanceof Command.Send) {
            led = true;
            if (leader.decideAlone()) {
                exchange.alone();
            }
            send(leader);
        } else if (next instanceof Command.Publish last) {
            call.complete(last.ended());
        } else if (next instanceof Command.Break broken) {
            call.completeExceptionally(broken.thrown());
        } else {
            throw new IllegalStateException("There is no response to " + next);
        }
    }

    private void ask(LeaderMachine leader, Command.AskInstances ask) {
        if (!exchange.answersWithoutAttachment()) {
            take(leader, leader.unanswered());
            return;
        }
        OtherInstances.Question question = ask.instances().ask(ask.key());
        CompletableFuture<OtherInstances.Answer> waiting = question.answer().copy();
        Stages.whenEnded(call, (ended, failure) -> {
            if (call.isCancelled()) { // nobody waits any more
                question.leave();
            }
        });
        DeadlinePassed.bound(waiting, ask.timeLeft(), Deadline.Kind.FOLLOWER, time, () -> true);
        Stages.whenEnded(waiting, (answer, failure) -> {
            if (call.isDone()) {
                return;
            }
            if (failure != null) { // the deadline has passed, nothing else makes it fail
                question.leave();
            }
            try {
                take(leader, failure == null ? leader.answered(answer) : leader.unanswered());
            } catch (Throwable thrown) { // nobody must wait for ever
                fail(leader, thrown);
            }
        });
    }

    /** Another instance's response answers the batch. */
    private void answer(LeaderMachine leader, Command.Share share) {
        try {
            give(exchange.answer(share.response(), share.receiver()));
        } catch (Throwable thrown) { // by the adapter; nobody must wait for ever
            fail(leader, thrown);
            return;
        }
        take(leader, leader.leaderAnswered());
    }

    private void send(LeaderMachine leader) {
        CompletableFuture<RESPONSE> sending = FutureSend.send(exchange);
        cancelWithCall(sending);
        Stages.whenEnded(sending, (response, failure) -> {
            if (failure != null) {
                fail(leader, Failures.unwrapped(failure));
            } else if (call.isDone()) {
                close(response);
            } else {
                receive(leader, response);
            }
        });
    }

    private void cancelWithCall(CompletableFuture<?> part) {
        Stages.whenEnded(call, (ended, failure) -> part.cancel(true));
    }

    private void receive(LeaderMachine leader, RESPONSE response) {
        CompletableFuture<BoundedBody<RESPONSE>> collecting;
        try {
            Command.OfCall next = leader.headArrived(exchange.request(), () -> exchange.headOf(response));
            if (next instanceof Command.Stream stream) {
                give(response);
                call.complete(stream.ended());
                return;
            }
            collecting = exchange.collect(response, ((Command.Collect) next).limit());
        } catch (Throwable thrown) { // by the adapter; nobody must wait for ever
            UnusedResponses.close(() -> exchange.close(response), thrown);
            fail(leader, thrown);
            return;
        }
        cancelWithCall(collecting);
        Stages.whenEnded(collecting, (body, failure) -> {
            if (failure != null) {
                fail(leader, Failures.unwrapped(failure));
            } else if (call.isDone()) {
                close(body.response());
            } else {
                share(leader, body);
            }
        });
    }

    private void share(LeaderMachine leader, BoundedBody<RESPONSE> body) {
        Command.OfCall next;
        try {
            byte[] bytes = body.bytes();
            next = bytes == null ? leader.bodyNotShared(body.reason()) : leader.bodyCollected(bytes, body::attachment);
            if (next instanceof Command.Share share) {
                give(exchange.answer(share.response(), share.receiver()));
                next = leader.leaderAnswered();
            } else {
                give(body.response());
            }
        } catch (Throwable thrown) { // by the adapter; nobody must wait for ever
            fail(leader, thrown);
            return;
        }
        call.complete(endedBy(next));
    }

    private static EndedCall endedBy(Command.OfCall last) {
        return last instanceof Command.Stream stream ? stream.ended() : ((Command.Publish) last).ended();
    }

    private void fail(LeaderMachine leader, Throwable failure) {
        if (!call.isDone()) { // otherwise it was cancelled, because nobody waits
            take(leader, leader.failed(failure, isTransportFailure(failure)));
        }
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
