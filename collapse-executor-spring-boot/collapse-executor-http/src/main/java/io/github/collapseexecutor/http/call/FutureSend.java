package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.Failures;
import io.github.collapseexecutor.core.Stages;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.dryrun.DryRunCall;
import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.HttpTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the last command of a {@link CallMachine} for a request that no call of others answers: the request is sent as a
 * call of its own, or its time is over.
 */
record FutureSend<RESPONSE>(
        CallMachine machine, FutureExchange<RESPONSE> exchange, FutureResult<RESPONSE> result, HttpTime time) {

    /** Sends an exchange; what an adapter throws is a failure like any other. */
    static <RESPONSE> CompletableFuture<RESPONSE> send(FutureExchange<RESPONSE> exchange) {
        try {
            return exchange.send();
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** The wait for a place has ended: with a place, at the deadline, or because the caller has left. */
    void placeAwaited(@Nullable Throwable failure) {
        if (failure instanceof DeadlinePassed deadline) {
            take(machine.deadlinePassed(deadline.kind()));
        } else if (failure == null) {
            take(machine.placeGiven());
        }
    }

    void take(Command.OfRequest last) {
        if (last instanceof Command.SendAlone alone) {
            sendAlone(alone);
        } else if (last instanceof Command.Pass) {
            pass();
        } else if (last instanceof Command.Watch watch) {
            watch(watch.call());
        } else {
            timeOut((Command.TimeOut) last);
        }
    }

    private void timeOut(Command.TimeOut last) {
        result.fail(new TimeoutException(last.message()));
    }

    private void sendAlone(Command.SendAlone alone) {
        ForwardLimiter place = alone.place();
        if (result.isDone()) {
            leave(place);
            return;
        }
        CompletableFuture<RESPONSE> sending = send(exchange);
        result.await(sending);
        Stages.whenEnded(sending, (response, failure) -> {
            leave(place);
            if (failure == null) {
                deliverAlone(response, alone.cacheStatus());
            } else {
                result.fail(Failures.unwrapped(failure));
            }
        });
        try {
            failAfter(machine.patienceAlone(), sending);
        } catch (Throwable noTimer) { // the caller must not wait for ever
            result.fail(noTimer);
        }
    }

    /** The caller's time may be over before the response comes; the exchange is cancelled then, as if the caller had left. */
    private void failAfter(long timeLeft, CompletableFuture<RESPONSE> sending) {
        if (timeLeft != Long.MAX_VALUE && !sending.isDone()) {
            Future<?> timer = time.schedule(() -> timeOut(machine.timeOut(Deadline.Kind.CALLER)), timeLeft);
            Stages.whenEnded(sending, (response, failure) -> timer.cancel(false));
        }
    }

    private static void leave(@Nullable ForwardLimiter place) {
        if (place != null) {
            place.leave();
        }
    }

    private void deliverAlone(RESPONSE response, @Nullable String cacheStatus) {
        RESPONSE marked;
        try {
            marked = cacheStatus == null ? response : exchange.withHeader(response, CacheStatus.HEADER, cacheStatus);
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            UnusedResponses.close(() -> exchange.close(response), thrown);
            result.fail(thrown);
            return;
        }
        result.deliver(marked);
    }

    private void pass() {
        CompletableFuture<RESPONSE> sending = send(exchange);
        result.await(sending);
        Stages.whenEnded(sending, (response, failure) -> {
            if (failure == null) {
                show(response);
                result.deliver(response);
            } else {
                result.fail(Failures.unwrapped(failure));
            }
        });
    }

    private void show(RESPONSE response) {
        try {
            machine.passed(exchange.request(), exchange.headOf(response));
        } catch (RuntimeException unreadable) {
            machine.passedUnreadably(unreadable);
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            result.fail(thrown);
        }
    }

    private void watch(DryRunCall call) {
        CompletableFuture<RESPONSE> sending = send(exchange);
        result.await(sending);
        Stages.whenEnded(sending, (response, failure) -> {
            if (failure == null) {
                result.deliver(watched(call, response));
            } else {
                call.failed();
                result.fail(Failures.unwrapped(failure));
            }
        });
    }

    private RESPONSE watched(DryRunCall call, RESPONSE response) {
        try {
            BodyWatch watch = call.headArrived(exchange.request(), exchange.headOf(response));
            return watch == null ? response : exchange.watched(response, watch);
        } catch (RuntimeException unreadable) {
            call.failed(); // its caller finds out by itself
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            call.failed();
            result.fail(thrown);
        }
        return response;
    }
}
