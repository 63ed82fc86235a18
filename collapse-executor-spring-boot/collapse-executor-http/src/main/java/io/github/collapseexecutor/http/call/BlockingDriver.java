package io.github.collapseexecutor.http.call;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CallOptions;
import io.github.collapseexecutor.core.CallerTimeoutException;
import io.github.collapseexecutor.core.Failures;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.Stages;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.dryrun.DryRunCall;
import io.github.collapseexecutor.http.dryrun.WatchedStream;
import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.WeakReference;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commands of a {@link CallMachine} and, if the request leads, of a {@link LeaderMachine}, all on the thread of
 * the request's caller. The exchange is sent once at most.
 */
final class BlockingDriver<RESPONSE> implements BatchCall<EndedCall> {

    private static final byte[] NO_BYTES = new byte[0];

    // immutable
    private final CallMachine machine;
    private final BlockingExchange<RESPONSE> exchange;
    private final HttpTime time;

    // mutable, confined to the calling thread
    private boolean leads;
    /** The response that the leader has, until it is delivered or closed. */
    private @Nullable RESPONSE own;

    BlockingDriver(CallMachine machine, BlockingExchange<RESPONSE> exchange, HttpTime time) {
        this.machine = machine;
        this.exchange = exchange;
        this.time = time;
    }

    /** Takes the request's way to its end. */
    RESPONSE run(GatheringExecutors<BlockingCallableGroupCollapseExecutor> executors) throws IOException {
        if (!machine.isListenedTo()) {
            return goThrough(executors);
        }
        try {
            RESPONSE response = goThrough(executors);
            machine.ended(null, null);
            return response;
        } catch (Throwable failure) {
            machine.ended(failure, null);
            throw failure;
        }
    }

    private RESPONSE goThrough(GatheringExecutors<BlockingCallableGroupCollapseExecutor> executors) throws IOException {
        Command.OfRequest next = machine.start();
        while (true) {
            if (next instanceof Command.Gather gather) {
                next = gather(executors.of(gather.executor()), gather);
            } else if (next instanceof Command.AwaitPlace wait) {
                next = awaitPlace(wait);
            } else if (next instanceof Command.Watch watch) {
                return watch(watch.call(), executors.ofDryRun(watch.mode()));
            } else {
                return end(next);
            }
        }
    }

    private RESPONSE end(Command.OfRequest last) throws IOException {
        if (last instanceof Command.Deliver) {
            return requireNonNull(own);
        } else if (last instanceof Command.Answer answer) {
            return exchange.answer(answer.response(), SharedResponse.Receiver.FOLLOWER);
        } else if (last instanceof Command.SendAlone alone) {
            return sendAlone(alone);
        } else if (last instanceof Command.Pass) {
            return pass();
        } else if (last instanceof Command.Fail fail) {
            throw Failures.rethrow(fail.failure()); // as it is (H39)
        }
        throw new SocketTimeoutException(((Command.TimeOut) last).message());
    }

    private Command.OfRequest gather(BlockingCallableGroupCollapseExecutor executor, Command.Gather gather)
            throws IOException {
        boolean delivered = false;
        try {
            EndedCall ended = execute(executor, gather);
            Command.OfRequest next = leads ? machine.led() : machine.joined(ended);
            delivered = true;
            return next;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (CallerTimeoutException e) {
            return machine.deadlinePassed(gather.timeLeft().endsAt());
        } catch (FailedCall failed) {
            return leads ? machine.ledInVain(failed.failure()) : machine.joined(failed.ended());
        } catch (Exception failure) {
            throw Failures.rethrow(failure);
        } finally {
            if (!delivered) {
                closeOwn();
            }
        }
    }

    private EndedCall execute(BlockingCallableGroupCollapseExecutor executor, Command.Gather gather) throws Exception {
        CallOptions options = gather.executor().options();
        long timeLeft = gather.timeLeft().shortest();
        if (timeLeft != Long.MAX_VALUE) {
            options = options.timeout(Duration.ofNanos(timeLeft));
        }
        CompletableFuture<?> cancelSignal = exchange.cancelSignal();
        if (cancelSignal != null) {
            options = options.cancelSignal(cancelSignal);
        }
        return executor.execute(gather.key(), this, options);
    }

    /** Makes the call as the leader. */
    @Override
    public EndedCall call(BatchHandle batch) throws Exception {
        LeaderMachine call = machine.lead(batch);
        Command.OfCall next = call.start();
        while (!(next instanceof Command.Publish last)) {
            try {
                if (next instanceof Command.AskInstances ask) {
                    next = ask(call, ask);
                } else if (next instanceof Command.Send) {
                    next = send(call);
                } else if (next instanceof Command.Collect collect) {
                    next = collect(call, collect);
                } else if (next instanceof Command.Share share) {
                    next = share(call, share);
                } else {
                    return ((Command.Stream) next).ended();
                }
            } catch (Throwable failure) {
                closeOwn();
                throw Failures.rethrow(call.failed(failure, exchange.isTransportFailure(failure))
                        .thrown());
            }
        }
        return last.ended();
    }

    private Command.OfCall send(LeaderMachine call) throws IOException {
        leads = true;
        RESPONSE response = exchange.send();
        own = response;
        return call.headArrived(exchange.request(), () -> exchange.headOf(response));
    }

    private Command.OfCall collect(LeaderMachine call, Command.Collect collect) throws IOException {
        RESPONSE response = requireNonNull(own);
        if (collect.bodiless()) {
            return call.bodyCollected(NO_BYTES, () -> exchange.attachmentOf(response));
        }
        BodyPrefix body = BodyPrefix.read(exchange.bodyOf(response), collect.limit());
        Command.OfCall next = body.isComplete()
                ? call.bodyCollected(body.bytes(), () -> exchange.attachmentOf(response))
                : call.bodyTooLarge();
        if (next instanceof Command.Stream) {
            own = exchange.resumed(response, body.resumed());
        }
        return next;
    }

    private Command.OfCall ask(LeaderMachine call, Command.AskInstances ask) throws IOException {
        leads = true;
        OtherInstances.Question question = ask.instances().ask(ask.key());
        CompletableFuture<OtherInstances.Answer> waiting = question.answer().copy();
        cancelWithRequest(waiting);
        DeadlinePassed.bound(waiting, ask.timeLeft(), Deadline.Kind.FOLLOWER, time, () -> true);
        try {
            return call.answered(waiting.get());
        } catch (InterruptedException e) {
            question.leave();
            throw interrupted(e);
        } catch (CancellationException e) {
            question.leave();
            throw e;
        } catch (ExecutionException e) { // the deadline has passed, nothing else makes it fail
            question.leave();
            return call.unanswered();
        }
    }

    /** A signal that the application keeps keeps no answer: what this thread waits for is on its stack as long as it waits. */
    private void cancelWithRequest(CompletableFuture<?> awaited) {
        CompletableFuture<?> cancelSignal = exchange.cancelSignal();
        if (cancelSignal != null) {
            WeakReference<CompletableFuture<?>> waiting = new WeakReference<>(awaited);
            Stages.whenEnded(cancelSignal, (value, failure) -> {
                CompletableFuture<?> present = waiting.get();
                if (present != null) {
                    present.cancel(false);
                }
            });
        }
    }

    private Command.OfCall share(LeaderMachine call, Command.Share share) {
        closeOwn();
        own = exchange.answer(share.response(), share.receiver());
        return call.leaderAnswered();
    }

    private void closeOwn() {
        RESPONSE response = own;
        if (response != null) {
            own = null;
            UnusedResponses.close(() -> exchange.close(response));
        }
    }

    private Command.OfRequest awaitPlace(Command.AwaitPlace wait) throws IOException {
        CompletableFuture<@Nullable Void> place = wait.limiter().enter();
        TimeLeft timeLeft = wait.timeLeft();
        boolean decided = false;
        try {
            cancelWithRequest(place);
            DeadlinePassed.bound(place, timeLeft.shortest(), timeLeft.endsAt(), time, () -> true);
            place.get();
            decided = true;
            return machine.placeGiven();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            decided = true;
            return machine.deadlinePassed(timeLeft.endsAt()); // nothing else makes it fail
        } finally {
            if (!decided && !place.cancel(false)) { // by an interruption, or for want of a timer
                wait.limiter().leave();
            }
        }
    }

    private RESPONSE sendAlone(Command.SendAlone alone) throws IOException {
        RESPONSE response;
        try {
            response = exchange.send();
        } finally {
            ForwardLimiter place = alone.place();
            if (place != null) {
                place.leave();
            }
        }
        String cacheStatus = alone.cacheStatus();
        if (cacheStatus == null) {
            return response;
        }
        boolean marked = false;
        try {
            RESPONSE result = exchange.withHeader(response, CacheStatus.HEADER, cacheStatus);
            marked = true;
            return result;
        } finally {
            if (!marked) {
                UnusedResponses.close(() -> exchange.close(response));
            }
        }
    }

    private RESPONSE pass() throws IOException {
        RESPONSE response = exchange.send();
        try {
            machine.passed(exchange.request(), exchange.headOf(response));
        } catch (IOException | RuntimeException unreadable) {
            machine.passedUnreadably(unreadable);
        }
        return response;
    }

    private RESPONSE watch(DryRunCall call, FutureCallableGroupCollapseExecutor executor) throws IOException {
        call.gather(executor);
        RESPONSE response;
        BodyWatch watch = null;
        boolean arrived = false;
        try {
            response = exchange.send();
            watch = watchOf(call, response);
            arrived = true;
        } finally {
            if (!arrived) {
                call.failed();
            }
        }
        return watch == null ? response : watched(response, watch);
    }

    private @Nullable BodyWatch watchOf(DryRunCall call, RESPONSE response) {
        try {
            return call.headArrived(exchange.request(), exchange.headOf(response));
        } catch (IOException | RuntimeException unreadable) {
            call.failed(); // its caller finds out by itself
            return null;
        }
    }

    private RESPONSE watched(RESPONSE response, BodyWatch watch) {
        try {
            return exchange.resumed(response, new WatchedStream(exchange.bodyOf(response), watch));
        } catch (IOException | RuntimeException unreadable) {
            watch.ended(false); // its caller finds out by itself
            return response;
        }
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException interruption =
                new InterruptedIOException("Interrupted while waiting for the answer of a collapsed request");
        interruption.initCause(cause);
        return interruption;
    }
}
