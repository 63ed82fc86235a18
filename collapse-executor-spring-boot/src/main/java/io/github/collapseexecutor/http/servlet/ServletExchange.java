package io.github.collapseexecutor.http.servlet;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.BoundedBody;
import io.github.collapseexecutor.http.FutureExchange;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the server, and whose turn it is.
 *
 * <p>The thread that brought the request submits it. If the rules have it run its handler at once, as they do with a lone one,
 * that same thread does, and nothing is asynchronous. Otherwise the thread parks the request and goes back to the container.
 * Whoever then decides what becomes of the request (the thread that ends another's handler, or the timer) writes nothing: it
 * dispatches the request back, and a thread of the container runs the handler or writes the answer, behind the same filters
 * and with the same error pages as any request. So a slow client holds up nobody but itself.
 *
 * <p>The container's objects are used by the thread that the container sent, and by the handler. All others see the copy that
 * was made of the request, and the one asynchronous context, which is used once: to dispatch.
 */
final class ServletExchange implements FutureExchange<Answer> {

    /** What is to happen to a request next. */
    sealed interface Turn {}

    private enum Point implements Turn {
        /** It is with the thread that brought it. */
        SUBMITTING,
        /** Its handler is to run. */
        RUN,
        /** Its handler is running. */
        RUNNING,
        /** Its client is gone. */
        GONE
    }

    /** It waits, and no thread with it. */
    private record Parked(AsyncContext context) implements Turn {}

    /** It is to be answered. */
    private record Answered(Answer answer) implements Turn {}

    /** It cannot be answered. */
    private record Failed(Throwable failure) implements Turn {}

    // immutable
    private final ArrivedRequest arrived;
    private final Executor dispatcher;
    private final HandlerRun run;

    // mutable, by CAS: SUBMITTING -> RUN, Answered or Failed; or SUBMITTING -> Parked -> one of these, or GONE;
    // and RUN -> RUNNING
    private final AtomicReference<Turn> turn = new AtomicReference<>(Point.SUBMITTING);
    // mutable; written by the thread that submits, before it parks
    private @Nullable CompletableFuture<Answer> result;
    private long usualTimeout = -1;

    ServletExchange(ArrivedRequest arrived, Executor dispatcher) {
        this.arrived = arrived;
        this.dispatcher = dispatcher;
        this.run = new HandlerRun(arrived);
    }

    /**
     * Goes on with the request that this was executed for: runs its handler, answers it or parks it.
     *
     * @param answer what the execution gave
     */
    void submit(
            CompletableFuture<Answer> answer,
            HttpServletRequest arriving,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        result = answer;
        CompletableFuture<Answer> unused = answer.whenComplete(this::settle);
        if (turn.get() == Point.SUBMITTING) {
            park(arriving, response, answer);
        } else {
            perform(arriving, response, chain);
        }
    }

    private void park(HttpServletRequest arriving, HttpServletResponse response, CompletableFuture<Answer> answer) {
        AsyncContext context = arriving.startAsync(arriving, response);
        usualTimeout = context.getTimeout();
        context.setTimeout(0); // how long it may wait, the options say
        Parked parked = new Parked(context);
        context.addListener(new AsyncEnd(() -> {
            turn.compareAndSet(parked, Point.GONE);
            boolean unusedLeft = answer.cancel(false);
            run.lost();
        }));
        if (!turn.compareAndSet(Point.SUBMITTING, parked)) {
            context.dispatch(); // decided meanwhile
        }
    }

    /** Says what is to happen next, if that is not settled already. */
    private boolean decide(Turn next) {
        Turn present = turn.get();
        if (present == Point.SUBMITTING) {
            if (turn.compareAndSet(present, next)) {
                return true;
            }
            present = turn.get();
        }
        if (!(present instanceof Parked parked) || !turn.compareAndSet(present, next)) {
            return false;
        }
        try {
            dispatcher.execute(() -> dispatch(parked));
        } catch (RejectedExecutionException e) {
            dispatch(parked); // by this thread, then
        }
        return true;
    }

    private void dispatch(Parked parked) {
        try {
            parked.context().dispatch();
        } catch (IllegalStateException e) {
            run.lost(); // the container has ended the request: its client is gone
        }
    }

    private void settle(@Nullable Answer answer, @Nullable Throwable failure) {
        if (answer instanceof CapturedResponse) {
            run.pass();
        } else if (answer != null) {
            decide(new Answered(answer));
        } else if (failure != null) {
            decide(new Failed(failure));
        }
    }

    /** Goes on with a request that the container has dispatched back. */
    void resume(HttpServletRequest dispatchedRequest, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (turn.get() == Point.RUNNING) {
            run.goOn(dispatchedRequest, response, chain); // the handler dispatched it
        } else {
            perform(dispatchedRequest, response, chain);
        }
    }

    private void perform(HttpServletRequest present, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Turn next = turn.getAndSet(Point.RUNNING);
        if (next instanceof Answered answered && answered.answer() instanceof Answer.Shared shared) {
            new FollowerResponse(shared.response()).writeTo(present, response);
        } else if (next instanceof Failed failed && !(failed.failure() instanceof HandlerRun.LostException)) {
            fail(failed.failure(), response);
        } else {
            run.start(present, response, chain, requireNonNull(result), usualTimeout);
        }
    }

    private static void fail(Throwable failure, HttpServletResponse response) throws IOException, ServletException {
        if (failure instanceof RejectedExecutionException || failure instanceof TimeoutException) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        HandlerRun.rethrow(failure);
    }

    @Override
    public HttpRequestView request() {
        return arrived;
    }

    @Override
    public CompletableFuture<Answer> send() {
        if (!decide(Point.RUN)) {
            run.lost();
        }
        return run.sent();
    }

    @Override
    public HttpResponseView headOf(Answer response) {
        return run.head();
    }

    @Override
    public CompletableFuture<BoundedBody<Answer>> collect(Answer response, long limit) {
        return run.collect((CapturedResponse) response, limit);
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
