package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.BodyWatch;
import io.github.collapseexecutor.http.BoundedBody;
import io.github.collapseexecutor.http.CollapsibleRequest;
import io.github.collapseexecutor.http.FutureExchange;
import io.github.collapseexecutor.http.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
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
 * One request on its way through the server: it is executed, waits ({@link RequestWait}), and then runs its handler
 * ({@link HandlerRun}) or is answered ({@link FollowerResponse}).
 *
 * <p>The thread that brought the request runs its handler, inside the filters that it passed, if the request leads a batch:
 * a lone one at once, one that opened a batch as soon as that starts, for which it waits on its thread. A follower waits on its
 * thread too, or is parked. Only a parked follower for which its leader's response is not runs its handler in a dispatch.
 *
 * <p>The container's objects are used by the thread that the container sent, and by the handler. All others see the snapshot
 * of the request, and the asynchronous context of a parked one, which is used once: to dispatch.
 */
final class ServletExchange implements FutureExchange<Answer> {

    // immutable
    private final RequestSnapshot snapshot;
    private final boolean mayPark;
    private final FollowerListener listener;
    private final RequestWait wait;
    private final HandlerRun run;

    // mutable; the thread that brought the request reads what it has written itself
    private boolean opened;
    // mutable; written before the request is parked, read after
    private long usualTimeout = -1;

    /**
     * Creates an exchange that has not been executed.
     *
     * @param mayPark whether the request may give its thread back while it waits
     * @param asyncUnshared learns of a handler that goes on asynchronously and is not shared, because followers of this request
     *     hold threads of the container; null if they hold none
     * @param dispatcher hands parked requests back to the container
     * @param listener learns of a follower that is answered
     */
    ServletExchange(
            RequestSnapshot snapshot,
            boolean mayPark,
            @Nullable Runnable asyncUnshared,
            Executor dispatcher,
            FollowerListener listener) {
        this.snapshot = snapshot;
        this.mayPark = mayPark;
        this.listener = listener;
        this.wait = new RequestWait(dispatcher);
        this.run = new HandlerRun(snapshot, asyncUnshared);
    }

    /** Has the request executed; when this returns, it is answered, parked, or its handler goes on asynchronously. */
    void execute(
            FutureHttpCollapseExecutor executor,
            CollapsibleRequest collapsible,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        CompletableFuture<Answer> answer = executor.execute(this, collapsible);
        CompletableFuture<Answer> unused = answer.whenComplete(this::settle);
        if (mayPark && !opened && !wait.isDecided()) {
            usualTimeout = wait.park(request, response, () -> leave(answer));
        } else {
            perform(await(answer), request, response, chain);
        }
    }

    private RequestWait.Decision await(CompletableFuture<Answer> answer) throws InterruptedIOException {
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

    private void leave(CompletableFuture<Answer> answer) {
        boolean unusedLeft = answer.cancel(false);
        run.lost();
    }

    /** Goes on with a request that the container has dispatched back. */
    void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (wait.isTaken()) {
            run.goOn(request, response, chain); // the handler dispatched it
        } else {
            perform(wait.take(), request, response, chain);
        }
    }

    private void perform(
            RequestWait.Decision decision, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (decision instanceof RequestWait.Decision.Answered answered) {
            new FollowerResponse(answered.response(), listener).writeTo(request, response);
        } else if (decision instanceof RequestWait.Decision.Failed failed
                && !(failed.failure() instanceof HandlerRun.LostException)) {
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
        HandlerRun.rethrow(failure);
    }

    private void settle(@Nullable Answer answer, @Nullable Throwable failure) {
        if (answer instanceof CapturedResponse own) {
            own.buffer().pass();
        } else if (answer instanceof Answer.Shared shared) {
            boolean unused = wait.decide(new RequestWait.Decision.Answered(shared.response()));
        } else if (failure != null) {
            boolean unused = wait.decide(new RequestWait.Decision.Failed(failure));
        }
    }

    @Override
    public HttpRequestView request() {
        return snapshot;
    }

    @Override
    public void opened() {
        opened = true;
    }

    @Override
    public CompletableFuture<Answer> send() {
        if (!wait.decide(new RequestWait.Decision.Run())) {
            run.lost();
        }
        return run.received();
    }

    @Override
    public HttpResponseView headOf(Answer response) {
        return ((CapturedResponse) response).buffer().head();
    }

    @Override
    public CompletableFuture<BoundedBody<Answer>> collect(Answer response, long limit) {
        return ((CapturedResponse) response).buffer().gather(limit);
    }

    @Override
    public Answer watched(Answer response, BodyWatch watch) {
        ((CapturedResponse) response).buffer().watch(watch);
        return response;
    }

    @Override
    public Answer answer(SharedResponse response, SharedResponse.Receiver receiver) {
        CapturedResponse own = run.captured();
        return receiver == SharedResponse.Receiver.LEADER && own != null ? own : new Answer.Shared(response);
    }

    @Override
    public Answer withHeader(Answer response, String name, String value) {
        if (response instanceof CapturedResponse own) {
            own.mark(name, value);
        }
        return response;
    }

    /** There is nothing to release. */
    @Override
    public void close(Answer response) {}

    /** A handler fails for a reason of its own; only if it is lost, another may do better. */
    @Override
    public boolean isTransportFailure(Throwable failure) {
        return failure instanceof HandlerRun.LostException;
    }
}
