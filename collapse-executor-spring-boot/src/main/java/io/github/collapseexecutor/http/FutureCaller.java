package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One request whose caller holds a future of the response, and that takes the steps which its {@link CallerCourse} decides, on
 * whichever thread ends what it waited for. However it goes, the exchange is sent once at most.
 */
final class FutureCaller<RESPONSE> {

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final FutureExchange<RESPONSE> exchange;
    private final FutureCallableGroupCollapseExecutor regrouping;
    private final Deadline deadline;
    private final CallerCourse course;
    private final CompletableFuture<RESPONSE> result = new CompletableFuture<>();

    // mutable; written by whoever takes the next step, read by whoever completes the result
    private volatile @Nullable CompletableFuture<?> awaited;

    FutureCaller(
            SharingRules rules,
            CollapsibleRequest request,
            FutureExchange<RESPONSE> exchange,
            FutureCallableGroupCollapseExecutor regrouping) {
        this.rules = rules;
        this.request = request;
        this.exchange = exchange;
        this.regrouping = regrouping;
        this.deadline = Deadline.of(request, rules);
        this.course = new CallerCourse(rules, request);
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

    CompletableFuture<RESPONSE> call(FutureCallableGroupCollapseExecutor first) {
        CompletableFuture<RESPONSE> unused = result.whenComplete((response, failure) -> {
            CompletableFuture<?> left = awaited;
            if (left != null) {
                left.cancel(true); // of no effect unless the caller leaves
            }
        });
        gather(first, request.key(), null);
        return result;
    }

    /** From now on, the caller leaves by cancelling this. */
    private void await(CompletableFuture<?> next) {
        awaited = next;
        if (result.isDone()) {
            next.cancel(true);
        }
    }

    private void gather(FutureCallableGroupCollapseExecutor executor, Object group, @Nullable Regroup regroup) {
        FutureLead<RESPONSE> lead = new FutureLead<>(rules, request, exchange, course, regroup);
        CompletableFuture<Outcome> gathered;
        try {
            gathered = executor.execute(group, lead);
        } catch (RejectedExecutionException refused) {
            result.completeExceptionally(refused);
            return;
        }
        await(gathered);
        bound(gathered, lead::withdraw);
        CompletableFuture<Outcome> unused =
                gathered.whenComplete((outcome, failure) -> afterCall(lead, outcome, failure));
    }

    private void afterCall(FutureLead<RESPONSE> lead, @Nullable Outcome outcome, @Nullable Throwable failure) {
        if (result.isDone()) {
            lead.leave();
            return;
        }
        RESPONSE own = lead.takeResponse();
        if (own != null) {
            deliver(own);
        } else if (outcome != null) {
            take(course.after(outcome));
        } else if (failure instanceof DeadlinePassed) {
            take(course.afterDeadline());
        } else if (failure instanceof FailedCall failed && !lead.hasLed()) {
            take(course.after(failed.outcome()));
        } else if (failure instanceof FailedCall failed) {
            result.completeExceptionally(failed.outcome().failure());
        } else if (failure != null) {
            result.completeExceptionally(failure);
        }
    }

    private void take(Step step) {
        if (step instanceof Step.Answer answer) {
            deliverAnswer(answer.response());
        } else if (step instanceof Step.Gather again) {
            gather(regrouping, again.regroup(), again.regroup());
        } else if (step instanceof Step.Alone alone) {
            sendAlone(alone.fanOut());
        } else if (step instanceof Step.Fail fail) {
            result.completeExceptionally(fail.failure());
        } else {
            result.completeExceptionally(
                    new TimeoutException("No answer to a collapsed request within followerTimeout"));
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

    private void sendAlone(@Nullable FanOut fanOut) {
        if (fanOut == null) {
            sendAlone(() -> {});
            return;
        }
        CompletableFuture<@Nullable Void> place = fanOut.enter();
        await(place);
        bound(place, () -> true);
        CompletableFuture<@Nullable Void> unused = place.whenComplete((given, failure) -> {
            if (failure instanceof DeadlinePassed) {
                take(course.afterDeadline());
            } else if (failure == null) {
                sendAlone(fanOut::leave);
            }
        });
    }

    private void sendAlone(Runnable afterwards) {
        if (result.isDone()) {
            afterwards.run();
            return;
        }
        CompletableFuture<RESPONSE> sending = send(exchange);
        await(sending);
        CompletableFuture<RESPONSE> unused = sending.whenComplete((response, failure) -> {
            afterwards.run();
            if (failure == null) {
                deliverAlone(response);
            } else {
                result.completeExceptionally(unwrapped(failure));
            }
        });
    }

    private void deliverAlone(RESPONSE response) {
        String mark = CacheStatus.alone(rules.options());
        RESPONSE marked;
        try {
            marked = mark == null ? response : exchange.withHeader(response, CacheStatus.HEADER, mark);
        } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
            Closing.close(() -> exchange.close(response), thrown);
            result.completeExceptionally(thrown);
            return;
        }
        deliver(marked);
    }

    /** Lets a wait end at the deadline, if there is one and whoever waits may leave then. */
    private void bound(CompletableFuture<?> waiting, BooleanSupplier mayLeave) {
        if (!deadline.exists() || waiting.isDone()) {
            return;
        }
        Future<?> timer = rules.time()
                .schedule(
                        () -> {
                            if (mayLeave.getAsBoolean()) {
                                waiting.completeExceptionally(new DeadlinePassed());
                            }
                        },
                        deadline.remaining());
        CompletableFuture<?> unused = waiting.whenComplete((value, failure) -> timer.cancel(false));
    }

    /** Ends a wait at the deadline; nobody but {@link FutureCaller} sees it. */
    private static final class DeadlinePassed extends TimeoutException {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
