package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commands of a {@link CallMachine} for a caller that holds a future, on whichever thread ends what the request
 * waited for. The exchange is sent once at most. The call that the request makes as a leader is a {@link FutureLead}.
 */
final class FutureDriver<RESPONSE> {

    // immutable
    private final CallMachine machine;
    private final FutureExchange<RESPONSE> exchange;
    private final GatheringExecutors<FutureCallableGroupCollapseExecutor> executors;
    private final HttpTime time;
    private final CompletableFuture<RESPONSE> result = new CompletableFuture<>();

    // mutable; written by the thread that takes the next step, read by the one that completes the result
    private volatile @Nullable CompletableFuture<?> awaited;

    FutureDriver(
            CallMachine machine,
            FutureExchange<RESPONSE> exchange,
            GatheringExecutors<FutureCallableGroupCollapseExecutor> executors,
            HttpTime time) {
        this.machine = machine;
        this.exchange = exchange;
        this.executors = executors;
        this.time = time;
    }

    /** Sends an exchange; what an adapter throws is a failure like any other. */
    static <RESPONSE> CompletableFuture<RESPONSE> send(FutureExchange<RESPONSE> exchange) {
        try {
            return exchange.send();
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** The failure of a future, without what passing through dependent stages wraps around it. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? unwrapped(cause) : failure;
    }

    /** Takes the request's way; the caller leaves by cancelling what this returns. */
    CompletableFuture<RESPONSE> run() {
        CompletableFuture<RESPONSE> unused = result.whenComplete((response, failure) -> {
            CompletableFuture<?> left = awaited;
            if (left != null) {
                left.cancel(true); // of no effect unless the caller leaves
            }
        });
        CompletableFuture<RESPONSE> told = machine.isListenedTo() ? told() : result;
        take(machine.start());
        return told;
    }

    /** The result for a caller that goes on when the listener has been told, or its client would end the request before. */
    private CompletableFuture<RESPONSE> told() {
        CompletableFuture<RESPONSE> told = new CompletableFuture<>();
        CompletableFuture<RESPONSE> unused = result.whenComplete((response, failure) -> {
            machine.ended(failure, exchange.callerContext());
            if (failure != null) {
                told.completeExceptionally(failure);
            } else if (!told.complete(response)) {
                Closing.close(() -> exchange.close(response));
            }
        });
        CompletableFuture<RESPONSE> unusedToo =
                told.whenComplete((response, failure) -> result.cancel(true)); // of no effect unless the caller leaves
        return told;
    }

    private void take(Command.OfRequest next) {
        if (next instanceof Command.Gather gather) {
            gather(gather);
        } else if (next instanceof Command.Answer answer) {
            deliverAnswer(answer.response());
        } else if (next instanceof Command.AwaitPlace wait) {
            awaitPlace(wait);
        } else if (next instanceof Command.SendAlone alone) {
            sendAlone(alone);
        } else if (next instanceof Command.Pass) {
            pass();
        } else if (next instanceof Command.Watch watch) {
            watch(watch.call());
        } else if (next instanceof Command.Fail fail) {
            result.completeExceptionally(fail.failure());
        } else {
            result.completeExceptionally(
                    new TimeoutException("No answer to a collapsed request within followerTimeout"));
        }
    }

    /** From now on, the caller leaves by cancelling this. */
    private void await(CompletableFuture<?> next) {
        awaited = next;
        if (result.isDone()) {
            next.cancel(true);
        }
    }

    private void gather(Command.Gather gather) {
        FutureLead<RESPONSE> lead = new FutureLead<>(machine, exchange);
        CompletableFuture<EndedCall> gathered;
        try {
            gathered = executors
                    .of(gather.executor())
                    .execute(gather.key(), lead, gather.executor().options());
        } catch (RejectedExecutionException refused) {
            result.completeExceptionally(refused);
            return;
        }
        await(gathered);
        DeadlinePassed.bound(gathered, gather.patience(), time, lead::withdraw);
        CompletableFuture<EndedCall> unused =
                gathered.whenComplete((ended, failure) -> afterCall(lead, ended, failure));
    }

    private void afterCall(FutureLead<RESPONSE> lead, @Nullable EndedCall ended, @Nullable Throwable failure) {
        if (result.isDone()) {
            lead.leave();
        } else if (failure instanceof DeadlinePassed) {
            take(machine.deadlinePassed());
        } else if (lead.hasLed()) {
            afterOwnCall(lead, failure);
        } else if (failure instanceof FailedCall failed) {
            take(machine.joined(failed.ended()));
        } else if (failure != null) {
            result.completeExceptionally(failure);
        } else if (ended != null) {
            take(machine.joined(ended));
        }
    }

    private void afterOwnCall(FutureLead<RESPONSE> lead, @Nullable Throwable failure) {
        if (failure == null || lead.hasResponse()) { // a time-out may have come at the very moment of the response
            Command.OfRequest unusedDeliver = machine.led();
            deliver(lead.takeResponse());
        } else {
            lead.leave();
            take(machine.ledInVain(failure instanceof FailedCall failed ? failed.failure() : failure));
        }
    }

    private void deliverAnswer(SharedResponse response) {
        try {
            deliver(exchange.answer(response, SharedResponse.Receiver.FOLLOWER));
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            result.completeExceptionally(thrown);
        }
    }

    private void deliver(RESPONSE response) {
        if (!result.complete(response)) {
            Closing.close(() -> exchange.close(response));
        }
    }

    private void awaitPlace(Command.AwaitPlace wait) {
        CompletableFuture<@Nullable Void> place = wait.limiter().enter();
        await(place);
        DeadlinePassed.bound(place, wait.patience(), time, () -> true);
        CompletableFuture<@Nullable Void> unused = place.whenComplete((given, failure) -> {
            if (failure instanceof DeadlinePassed) {
                take(machine.deadlinePassed());
            } else if (failure == null) {
                take(machine.placeGiven());
            }
        });
    }

    private void sendAlone(Command.SendAlone alone) {
        ForwardLimiter place = alone.place();
        if (result.isDone()) {
            leave(place);
            return;
        }
        CompletableFuture<RESPONSE> sending = send(exchange);
        await(sending);
        CompletableFuture<RESPONSE> unused = sending.whenComplete((response, failure) -> {
            leave(place);
            if (failure == null) {
                deliverAlone(response, alone.cacheStatus());
            } else {
                result.completeExceptionally(unwrapped(failure));
            }
        });
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
            Closing.close(() -> exchange.close(response), thrown);
            result.completeExceptionally(thrown);
            return;
        }
        deliver(marked);
    }

    private void pass() {
        CompletableFuture<RESPONSE> sending = send(exchange);
        await(sending);
        CompletableFuture<RESPONSE> unused = sending.whenComplete((response, failure) -> {
            if (failure == null) {
                show(response);
                deliver(response);
            } else {
                result.completeExceptionally(unwrapped(failure));
            }
        });
    }

    private void watch(DryRunCall call) {
        call.gather(executors.dryRun());
        CompletableFuture<RESPONSE> sending = send(exchange);
        await(sending);
        CompletableFuture<RESPONSE> unused = sending.whenComplete((response, failure) -> {
            if (failure == null) {
                deliver(watched(call, response));
            } else {
                call.failed();
                result.completeExceptionally(unwrapped(failure));
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
            result.completeExceptionally(thrown);
        }
        return response;
    }

    private void show(RESPONSE response) {
        try {
            machine.passed(exchange.request(), exchange.headOf(response));
        } catch (RuntimeException unreadable) {
            machine.passedUnreadably(unreadable);
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            result.completeExceptionally(thrown);
        }
    }
}
