package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way of one request on the threads that the container sends: it is executed, waits ({@link RequestWait}), and then runs its
 * handler ({@link ServletHandlerRun}) or is answered ({@link FollowerResponse}). {@link ServletExchange} acts on all other threads.
 *
 * <p>The thread that brought the request runs its handler, inside the filters that it passed, if the request leads a batch:
 * a lone one at once, one that opened a batch as soon as that starts, for which it waits on its thread. A follower waits on its
 * thread too, or is parked. Only a parked follower that cannot use its leader's response runs its handler in a dispatch.
 */
final class RequestWay {

    // immutable
    private final ServletExchange exchange;
    private final RequestWait wait;
    private final ServletHandlerRun run;
    private final boolean mayPark;
    private final FollowerListener listener;

    // mutable; written before the request is parked, read after
    private long usualTimeout = -1;
    private @Nullable CachingHeaders before;

    /**
     * Creates the way of the request that the present thread has brought.
     *
     * @param mayPark whether the request may give its thread back while it waits
     * @param dispatcher hands parked requests back to the container
     * @param listener learns of a follower that is answered
     */
    RequestWay(
            RequestSnapshot snapshot,
            ServletHandlerRun run,
            boolean mayPark,
            Executor dispatcher,
            FollowerListener listener) {
        this.wait = new RequestWait(dispatcher);
        this.exchange = new ServletExchange(snapshot, wait, run);
        this.run = run;
        this.mayPark = mayPark;
        this.listener = listener;
    }

    /** Has the request executed; when this returns, it is answered, parked, or its handler goes on asynchronously. */
    void execute(
            FutureHttpCollapseExecutor executor,
            CollapsibleRequest collapsible,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        CompletableFuture<ServletAnswer> answer = executor.execute(exchange, collapsible);
        CompletableFuture<ServletAnswer> unused = answer.whenComplete(exchange::settle);
        if (mayPark && !exchange.hasOpened() && !wait.isDecided()) {
            before = CachingHeaders.of(response);
            usualTimeout = wait.park(request, response, run, () -> leave(answer));
        } else {
            perform(await(answer), request, response, chain);
        }
    }

    private RequestWait.Decision await(CompletableFuture<ServletAnswer> answer) throws InterruptedIOException {
        try {
            return wait.await();
        } catch (InterruptedException e) {
            leave(answer);
            Thread.currentThread().interrupt();
            InterruptedIOException interruption =
                    new InterruptedIOException("Interrupted while waiting for the response of a collapsed request");
            interruption.initCause(e);
            throw interruption;
        }
    }

    /** The request will not be answered; if it was to run its handler for others, too, one of them does that now. */
    private void leave(CompletableFuture<ServletAnswer> answer) {
        boolean unusedLeft = answer.cancel(false);
        run.lost();
    }

    /** Goes on with a request that the container has dispatched back. */
    void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (wait.isTaken()) {
            run.goOn(request, ShownResponse.of(response), chain); // the handler dispatched it
        } else {
            perform(wait.take(), request, response, chain);
        }
    }

    private void perform(
            RequestWait.Decision decision, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (decision instanceof RequestWait.Decision.Answered answered) {
            new FollowerResponse(answered.response(), listener, before).writeTo(request, response);
        } else if (decision instanceof RequestWait.Decision.Failed failed
                && !(failed.failure() instanceof ServletHandlerRun.LostException)) {
            fail(failed.failure(), response);
        } else {
            run.start(request, response, chain, usualTimeout);
        }
    }

    private static void fail(Throwable failure, HttpServletResponse response) throws IOException, ServletException {
        if (failure instanceof RejectedExecutionException || failure instanceof TimeoutException) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        ServletHandlerRun.rethrow(failure);
    }
}
