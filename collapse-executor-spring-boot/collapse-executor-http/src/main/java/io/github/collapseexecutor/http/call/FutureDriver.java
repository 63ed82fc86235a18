package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.Stages;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commands of a {@link CallMachine} for a caller that holds a future, on whichever thread ends what the request
 * waited for. The exchange is sent once at most. The call that the request makes as a leader is a {@link FutureLead}, one of its
 * own a {@link FutureSend}.
 */
final class FutureDriver<RESPONSE> {

    // immutable
    private final CallMachine machine;
    private final FutureExchange<RESPONSE> exchange;
    private final GatheringExecutors<FutureCallableGroupCollapseExecutor> executors;
    private final HttpTime time;
    private final FutureResult<RESPONSE> result;
    private final FutureSend<RESPONSE> send;

    FutureDriver(
            CallMachine machine,
            FutureExchange<RESPONSE> exchange,
            GatheringExecutors<FutureCallableGroupCollapseExecutor> executors,
            HttpTime time) {
        this.machine = machine;
        this.exchange = exchange;
        this.executors = executors;
        this.time = time;
        this.result = new FutureResult<>(machine, exchange);
        this.send = new FutureSend<>(machine, exchange, result, time);
    }

    /** Takes the request's way; the caller leaves by cancelling what this returns. */
    CompletableFuture<RESPONSE> run() {
        CompletableFuture<RESPONSE> forCaller = result.forCaller();
        take(machine.start());
        return forCaller;
    }

    private void take(Command.OfRequest next) {
        if (next instanceof Command.Gather gather) {
            gather(gather);
        } else if (next instanceof Command.Answer answer) {
            answer(answer.response());
        } else if (next instanceof Command.AwaitPlace wait) {
            awaitPlace(wait);
        } else if (next instanceof Command.Fail fail) {
            result.fail(fail.failure());
        } else if (next instanceof Command.Watch watch) {
            watch.call().gather(executors.ofDryRun(watch.mode()));
            send.take(watch);
        } else {
            send.take(next);
        }
    }

    /** What is thrown, by the carrier of the caller's context for example, reaches the caller: a thread that ended another's call tells nobody. */
    private void gather(Command.Gather gather) {
        FutureLead<RESPONSE> lead = new FutureLead<>(machine, exchange, time);
        try {
            CompletableFuture<EndedCall> gathered = gather.executor() == GatheringExecutors.Kind.REGROUPING
                    ? exchange.asCaller(() -> gathered(gather, lead))
                    : gathered(gather, lead);
            result.await(gathered);
            Stages.whenEnded(gathered, (ended, failure) -> afterCall(lead, ended, failure));
            TimeLeft timeLeft = gather.timeLeft();
            DeadlinePassed.bound(gathered, timeLeft.asFollower(), Deadline.Kind.FOLLOWER, time, lead::withdraw);
            DeadlinePassed.bound(gathered, timeLeft.altogether(), Deadline.Kind.CALLER, time, () -> true);
        } catch (Throwable refused) {
            result.fail(refused);
        }
    }

    private CompletableFuture<EndedCall> gathered(Command.Gather gather, FutureLead<RESPONSE> lead) {
        return executors
                .of(gather.executor())
                .execute(gather.key(), lead, gather.executor().options());
    }

    private void afterCall(FutureLead<RESPONSE> lead, @Nullable EndedCall ended, @Nullable Throwable failure) {
        if (result.isDone()) {
            lead.leave();
        } else if (lead.hasLed()) {
            afterOwnCall(lead, failure);
        } else if (failure instanceof DeadlinePassed deadline) {
            lead.leave(); // the batch may be about to have it lead
            take(machine.deadlinePassed(deadline.kind()));
        } else if (failure instanceof FailedCall failed) {
            take(machine.joined(failed.ended()));
        } else if (failure != null) {
            result.fail(failure);
        } else if (ended != null) {
            take(machine.joined(ended));
        }
    }

    private void afterOwnCall(FutureLead<RESPONSE> lead, @Nullable Throwable failure) {
        if (failure == null || lead.hasResponse()) { // a time-out may have come at the very moment of the response
            Command.OfRequest unusedDeliver = machine.led();
            result.deliver(lead.takeResponse());
        } else if (failure instanceof DeadlinePassed deadline) {
            lead.leave();
            take(machine.deadlinePassed(deadline.kind()));
        } else {
            lead.leave();
            take(machine.ledInVain(failure instanceof FailedCall failed ? failed.failure() : failure));
        }
    }

    private void answer(SharedResponse response) {
        try {
            result.deliver(exchange.answer(response, SharedResponse.Receiver.FOLLOWER));
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            result.fail(thrown);
        }
    }

    private void awaitPlace(Command.AwaitPlace wait) {
        CompletableFuture<@Nullable Void> place = wait.limiter().enter();
        result.await(place);
        Stages.whenEnded(place, (given, failure) -> send.placeAwaited(failure));
        TimeLeft timeLeft = wait.timeLeft();
        try {
            DeadlinePassed.bound(place, timeLeft.shortest(), timeLeft.endsAt(), time, () -> true);
        } catch (Throwable noTimer) {
            result.fail(noTimer);
        }
    }
}
