package io.github.collapseexecutor.http;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One request whose thread makes the call or waits for another's, and takes the steps that its {@link CallerCourse} decides.
 * However it goes, the exchange is sent once at most.
 */
final class BlockingCaller<RESPONSE> {

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final BlockingExchange<RESPONSE> exchange;
    private final Deadline deadline;
    private final CallerCourse course;

    // mutable, confined to the calling thread
    private boolean led;
    private @Nullable RESPONSE own;

    BlockingCaller(SharingRules rules, CollapsibleRequest request, BlockingExchange<RESPONSE> exchange) {
        this.rules = rules;
        this.request = request;
        this.exchange = exchange;
        this.deadline = Deadline.of(request, rules);
        this.course = new CallerCourse(rules, request);
    }

    RESPONSE call(BlockingCallableGroupCollapseExecutor first, BlockingCallableGroupCollapseExecutor regrouping)
            throws IOException {
        Step step = gather(first, request.key(), null);
        while (step != null) {
            if (step instanceof Step.Gather again) {
                step = gather(regrouping, again.regroup(), again.regroup());
            } else if (step instanceof Step.Answer answer) {
                return exchange.answer(answer.response(), SharedResponse.Receiver.FOLLOWER);
            } else if (step instanceof Step.Alone alone) {
                return sendAlone(alone.fanOut());
            } else if (step instanceof Step.Fail fail) {
                throw asThrown(fail.failure());
            } else {
                throw timedOut("followerTimeout", null);
            }
        }
        return requireNonNull(own);
    }

    /** The failure to be thrown by those who may throw no other checked exception. */
    private static IOException asThrown(Throwable failure) {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        return (IOException) failure; // lead() lets no other out
    }

    private static SocketTimeoutException timedOut(String bound, @Nullable TimeoutException cause) {
        SocketTimeoutException timeout = new SocketTimeoutException("No answer to a collapsed request within " + bound);
        timeout.initCause(cause);
        return timeout;
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException interruption =
                new InterruptedIOException("Interrupted while waiting for the answer of a collapsed request");
        interruption.initCause(cause);
        return interruption;
    }

    /** Takes part in a call; returns null if it was led and gave a response of one's own. */
    private @Nullable Step gather(
            BlockingCallableGroupCollapseExecutor executor, Object group, @Nullable Regroup regroup)
            throws IOException {
        boolean gathered = false;
        try {
            Outcome outcome = execute(executor, group, batch -> lead(regroup, batch));
            gathered = true;
            return own == null ? course.after(outcome) : null;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (TimeoutException e) {
            if (deadline.hasPassed()) {
                return course.afterDeadline();
            }
            throw timedOut("callTimeout", e);
        } catch (FailedCall failed) {
            if (led) {
                throw asThrown(failed.outcome().failure());
            }
            return course.after(failed.outcome());
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception e) {
            // nothing else is thrown by lead() or declared by the executor
            throw new IOException("A collapsed request failed in an unforeseen way", e);
        } finally {
            if (!gathered) {
                abandonOwn();
            }
        }
    }

    private Outcome execute(BlockingCallableGroupCollapseExecutor executor, Object group, BatchCall<Outcome> lead)
            throws Exception {
        CompletableFuture<?> calledOff = exchange.calledOff();
        if (calledOff == null && !deadline.exists()) {
            return executor.execute(group, lead);
        }
        Duration timeout = Duration.ofNanos(deadline.remaining());
        return calledOff == null
                ? executor.execute(group, lead, timeout)
                : executor.execute(group, lead, timeout, calledOff);
    }

    private Outcome lead(@Nullable Regroup regroup, BatchHandle batch) throws IOException, FailedCall {
        Outcome known = regroup == null ? null : regroup.known();
        if (known != null) {
            return known;
        }
        led = true;
        Outcome outcome;
        try {
            outcome = sendAndShare(batch);
        } catch (IOException | RuntimeException failure) {
            Outcome failed = Outcome.failed(
                    failure, failure instanceof IOException, rules.options().fanOutLimit());
            if (regroup != null && !BlockingCallableGroupCollapseExecutor.cameOfInterruption(failure)) {
                regroup.remember(failed); // otherwise a follower makes this very call again
            }
            if (course.choiceAfter(failed) == LeaderFailure.SHARE) {
                throw failure;
            }
            throw new FailedCall(failed);
        }
        if (regroup != null) {
            regroup.remember(outcome);
        }
        return outcome;
    }

    private Outcome sendAndShare(BatchHandle batch) throws IOException {
        RESPONSE response = exchange.send();
        own = response;
        ShareableHead head = shareable(response);
        if (head == null || batch.isLone()) {
            return Outcome.unshared(rules.options().fanOutLimit());
        }
        BodyPrefix body = head.isBodiless()
                ? BodyPrefix.empty()
                : BodyPrefix.read(exchange.bodyOf(response), rules.options().maxBodySize());
        if (!body.isComplete()) {
            rules.bodyWasTooLarge(request);
        }
        SharedResponse shared = body.isComplete() && head.fits(body.bytes().length)
                ? head.complete(body.bytes(), exchange.attachmentOf(response))
                : null;
        if (shared == null) {
            own = exchange.resumed(response, body.resumed());
            return Outcome.unshared(rules.options().fanOutLimit());
        }
        own = null;
        Closing.close(() -> exchange.close(response));
        own = exchange.answer(shared, SharedResponse.Receiver.LEADER);
        return Outcome.shared(shared, rules.options().fanOutLimit());
    }

    private @Nullable ShareableHead shareable(RESPONSE response) throws IOException {
        try {
            return rules.shareable(request, exchange.request(), exchange.headOf(response)) instanceof ShareableHead head
                    ? head
                    : null;
        } catch (RuntimeException unreadable) {
            rules.headWasUnreadable(request, unreadable);
            return null;
        }
    }

    private void abandonOwn() {
        RESPONSE response = own;
        if (response != null) {
            own = null;
            Closing.close(() -> exchange.close(response));
        }
    }

    private RESPONSE sendAlone(@Nullable FanOut fanOut) throws IOException {
        if (fanOut == null) {
            return sendAlone();
        }
        boolean hasPlace = awaitPlace(fanOut);
        if (!hasPlace && course.afterDeadline() instanceof Step.TimeOut) {
            throw timedOut("followerTimeout", null);
        }
        try {
            return sendAlone();
        } finally {
            if (hasPlace) {
                fanOut.leave();
            }
        }
    }

    /** Returns false if the deadline passes before there is a place. */
    private boolean awaitPlace(FanOut fanOut) throws IOException {
        CompletableFuture<@Nullable Void> place = fanOut.enter();
        CompletableFuture<?> calledOff = exchange.calledOff();
        if (calledOff != null) {
            CompletableFuture<?> unused = calledOff.whenComplete((value, failure) -> place.cancel(false));
        }
        try {
            place.get(deadline.remaining(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return !place.cancel(false);
        } catch (InterruptedException e) {
            if (!place.cancel(false)) {
                fanOut.leave();
            }
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A place is never refused", e);
        }
    }

    private RESPONSE sendAlone() throws IOException {
        RESPONSE response = exchange.send();
        String mark = CacheStatus.alone(rules.options());
        if (mark == null) {
            return response;
        }
        boolean marked = false;
        try {
            RESPONSE result = exchange.withHeader(response, CacheStatus.HEADER, mark);
            marked = true;
            return result;
        } finally {
            if (!marked) {
                Closing.close(() -> exchange.close(response));
            }
        }
    }
}
