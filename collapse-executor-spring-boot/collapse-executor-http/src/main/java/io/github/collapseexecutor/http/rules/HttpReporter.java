package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.core.Contained;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import java.io.InterruptedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listener of an adapter what happens, if there is one; without one it does nothing and nothing is prepared for it.
 * Public for other packages of the library only.
 */
public final class HttpReporter {

    // immutable
    private final @Nullable HttpCollapseListener listener;
    private final RequestRules requests;
    private final HttpTime time;

    // mutable, by itself
    private final Contained userCode = new Contained();

    HttpReporter(HttpCollapseOptions options, RequestRules requests, HttpTime time) {
        this.listener = options.rules().isEmpty() ? null : options.listener();
        this.requests = requests;
        this.time = time;
    }

    /** A request may not share a call. */
    void forwarded(HttpRequestView request, Reason reason) {
        HttpCollapseListener told = listener;
        if (told != null) {
            userCode.run(() -> {
                CollapseRule rule = reason == Reason.NOT_CONFIGURED ? null : requests.ruleOf(request);
                Reason known = rule == null && reason != Reason.PATH ? Reason.NOT_CONFIGURED : reason;
                told.requestNotCollapsed(rule, known, request.method(), request.uri());
            });
        }
    }

    /** A request that might have shared a call is sent by itself. */
    void released(CollapsibleRequest request, Reason reason) {
        HttpCollapseListener told = listener;
        if (told != null) {
            userCode.run(() -> told.requestReleased(request.rule(), reason, request.method(), request.uri()));
        }
    }

    /** A response is for its leader only. */
    void notShared(CollapsibleRequest leader, Reason reason) {
        HttpCollapseListener told = listener;
        if (told != null) {
            userCode.run(() -> told.responseNotShared(leader.rule(), reason, leader.method(), leader.uri()));
        }
    }

    /** How a request ended whose caller gets this failure; null if it gets a response. */
    public static HttpCallSummary.Outcome outcomeOf(@Nullable Throwable failure) {
        if (failure == null) {
            return HttpCallSummary.Outcome.ANSWERED;
        }
        if (failure instanceof RejectedExecutionException) {
            return HttpCallSummary.Outcome.REJECTED;
        }
        if (failure instanceof CancellationException
                || failure instanceof InterruptedException
                || isBecauseOf(InterruptedException.class, failure)) {
            return HttpCallSummary.Outcome.CANCELLED;
        }
        boolean timedOut = failure instanceof TimeoutException || isBecauseOf(TimeoutException.class, failure);
        return timedOut ? HttpCallSummary.Outcome.TIMED_OUT : HttpCallSummary.Outcome.FAILED;
    }

    /** Whether a driver has translated an exception of the core, for a client that knows I/O only. */
    private static boolean isBecauseOf(Class<? extends Exception> cause, Throwable failure) {
        return failure instanceof InterruptedIOException && cause.isInstance(failure.getCause());
    }

    public boolean isListenedTo() {
        return listener != null;
    }

    /** A request that might have shared a call has ended. */
    public void ended(
            CollapsibleRequest request,
            HttpCallSummary.Role role,
            HttpCallSummary.Outcome outcome,
            @Nullable Throwable failure,
            @Nullable Object callerContext) {
        HttpCollapseListener told = listener;
        if (told != null) {
            long duration = time.nanoTime() - request.arrivedAt();
            userCode.run(() -> told.requestEnded(
                    new HttpCallSummary(request.rule(), role, outcome, duration, failure, callerContext)));
        }
    }
}
