package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.CollectedBody;
import io.github.collapseexecutor.http.FutureExchange;
import io.github.collapseexecutor.http.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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
final class ServletExchange implements FutureExchange<Answer>, CapturedBody.Owner {

    /** A decision that another thread is about to make is waited for, but not for longer than this. */
    private static final long DECISION_SECONDS = 1;

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

    /** Says that a leader's request ended without its handler having ended; another may try. */
    private static final class HandlerLostException extends IOException {

        private static final long serialVersionUID = 1L;

        HandlerLostException() {
            super("The request whose handler was to answer several requests ended before its handler did");
        }
    }

    // immutable
    private final ArrivedRequest arrived;
    private final Executor dispatcher;
    private final CompletableFuture<Answer> sent = new CompletableFuture<>();
    private final CompletableFuture<CollectedBody<Answer>> collected = new CompletableFuture<>();

    // mutable, by CAS: SUBMITTING -> RUN, Answered or Failed; or SUBMITTING -> Parked -> one of these, or GONE;
    // and RUN -> RUNNING
    private final AtomicReference<Turn> turn = new AtomicReference<>(Point.SUBMITTING);
    // mutable; written by the thread that submits, before it parks
    private volatile @Nullable CompletableFuture<Answer> result;
    // mutable; written by the thread that runs the handler, before it tells anybody
    private volatile @Nullable CapturedResponse captured;
    private volatile @Nullable HandlerHead head;
    // mutable; written by the thread that decides
    private volatile boolean collecting;
    // mutable; the thread that the container sent
    private volatile @Nullable Thread dispatched;
    private volatile boolean wentAsync;
    // mutable, confined to the handler
    private @Nullable HttpServletRequest request;
    private @Nullable Throwable thrown;
    private long usualTimeout = -1;

    ServletExchange(ArrivedRequest arrived, Executor dispatcher) {
        this.arrived = arrived;
        this.dispatcher = dispatcher;
    }

    /** Brings a request: runs its handler, answers it or parks it. */
    void submit(
            FutureHttpCollapseExecutor executor,
            HttpServletRequest arriving,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        CompletableFuture<Answer> answer = executor.execute(this);
        result = answer;
        CompletableFuture<Answer> unused = answer.whenComplete(this::settle);
        if (turn.get() != Point.SUBMITTING || !park(arriving, response, answer)) {
            perform(arriving, response, chain);
        }
    }

    private boolean park(HttpServletRequest arriving, HttpServletResponse response, CompletableFuture<Answer> answer) {
        AsyncContext context = arriving.startAsync(arriving, response);
        usualTimeout = context.getTimeout();
        context.setTimeout(0); // how long it may wait, the options say
        Parked parked = new Parked(context);
        context.addListener(new AsyncEnd(() -> {
            turn.compareAndSet(parked, Point.GONE);
            boolean unusedLeft = answer.cancel(false);
            handlerLost();
        }));
        if (!turn.compareAndSet(Point.SUBMITTING, parked)) {
            context.dispatch(); // decided meanwhile
        }
        return true;
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
            handlerLost(); // the container has ended the request: its client is gone
        }
    }

    private void settle(@Nullable Answer answer, @Nullable Throwable failure) {
        CapturedResponse own = captured;
        if (answer instanceof CapturedResponse) {
            if (own != null && !own.body().isEnded()) {
                own.body().pass();
            }
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
            runChain(dispatchedRequest, response, chain); // the handler dispatched it
        } else {
            perform(dispatchedRequest, response, chain);
        }
    }

    private void perform(HttpServletRequest present, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Turn next = turn.getAndSet(Point.RUNNING);
        if (next instanceof Answered answered && answered.answer() instanceof Answer.Shared shared) {
            new FollowerResponse(shared.response()).writeTo(present, response);
        } else if (next instanceof Failed failed && !(failed.failure() instanceof HandlerLostException)) {
            fail(failed.failure(), response);
        } else {
            run(present, response, chain);
        }
    }

    private static void fail(Throwable failure, HttpServletResponse response) throws IOException, ServletException {
        if (failure instanceof RejectedExecutionException || failure instanceof TimeoutException) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        rethrow(failure);
    }

    /** Throws what a handler threw; it declares no other checked exceptions. */
    static void rethrow(Throwable failure) throws IOException, ServletException {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        } else if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof IOException exception) {
            throw exception;
        } else if (failure instanceof ServletException exception) {
            throw exception;
        }
        throw new ServletException(failure);
    }

    private void run(HttpServletRequest present, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        CapturedResponse capturing = new CapturedResponse(response, this);
        captured = capturing;
        LeaderRequest leading = new LeaderRequest(present, capturing, this);
        request = leading;
        runChain(leading, capturing, chain);
    }

    private void runChain(HttpServletRequest present, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        wentAsync = false;
        dispatched = Thread.currentThread();
        Throwable failure = null;
        try {
            chain.doFilter(present, response);
        } catch (Throwable e) {
            failure = e;
        } finally {
            dispatched = null;
        }
        if (failure == null && (wentAsync || present.isAsyncStarted())) {
            return; // the handler goes on elsewhere
        }
        end(failure);
        CapturedResponse own = captured;
        if (failure != null) {
            rethrow(failure);
        } else if (own != null) {
            IOException loss = own.body().loss();
            if (loss != null) {
                throw loss;
            }
        }
    }

    /** The handler goes on asynchronously. */
    void handlerStartedAsync(AsyncContext context) {
        wentAsync = true;
        if (usualTimeout >= 0) {
            context.setTimeout(usualTimeout); // ours does not concern the handler
        }
        context.addListener(new AsyncEnd(this::handlerLost));
    }

    /** The handler has gone on asynchronously and says that it is done. */
    void handlerCompleted() {
        end(null); // what it could not write, its client has not got, as without us
    }

    /** The container is done with the request; if the handler is not, nobody will know. */
    private void handlerLost() {
        CapturedResponse own = captured;
        if (own == null || !own.body().isEnded()) {
            HandlerLostException lost = new HandlerLostException();
            sent.completeExceptionally(lost);
            collected.completeExceptionally(lost);
        }
    }

    /** The handler has ended: first the others learn of it, then its own client, which may be slow or gone. */
    private void end(@Nullable Throwable failure) {
        CapturedResponse own = captured;
        if (own == null || own.body().isEnded()) {
            return;
        }
        thrown = failure;
        own.body().end();
        HandlerHead known = head;
        if (failure != null && known != null && known.extras().ending() == null) {
            collected.completeExceptionally(failure); // in the middle of the body
        } else if (collecting) {
            complete(own);
        }
        awaitDecision();
        if (failure == null) {
            own.body().pass();
        }
    }

    private void awaitDecision() {
        CompletableFuture<Answer> answer = result;
        if (answer == null || answer.isDone()) {
            return;
        }
        try {
            Answer unused = answer.get(DECISION_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            return; // it is not needed any more: the handler has answered
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void complete(CapturedResponse own) {
        HandlerHead known = head;
        collected.complete(CollectedBody.complete(own.body().bytes(), own, known == null ? null : known.extras()));
    }

    @Override
    public void headIsFinal() {
        CapturedResponse own = captured;
        HttpServletRequest present = request;
        if (own == null || present == null) {
            throw new IllegalStateException("Nobody has run the handler");
        }
        arrived.lookAtUser(present);
        boolean completeHead = own.body().isEnded() && present.getMethod().equals("HEAD");
        head = own.head(
                arrived.isOfSomebody(),
                thrown,
                failuresIn(present),
                completeHead ? own.body().size() : -1);
        sent.complete(own);
    }

    private static Map<String, Object> failuresIn(HttpServletRequest request) {
        Map<String, Object> failures = new LinkedHashMap<>();
        for (String name : Collections.list(request.getAttributeNames())) {
            Object value = request.getAttribute(name);
            if (value instanceof Throwable) {
                failures.put(name, value);
            }
        }
        return failures;
    }

    @Override
    public void bodyIsOpen() {
        CapturedResponse own = captured;
        if (own != null) {
            collected.complete(CollectedBody.tooLarge(own));
        }
    }

    @Override
    public boolean isInDispatch() {
        return dispatched == Thread.currentThread();
    }

    @Override
    public HttpRequestView request() {
        return arrived;
    }

    @Override
    public CompletableFuture<Answer> send() {
        if (!decide(Point.RUN)) {
            sent.completeExceptionally(new HandlerLostException());
        }
        return sent;
    }

    @Override
    public HttpResponseView headOf(Answer response) {
        HandlerHead known = head;
        if (known == null) {
            throw new IllegalStateException("The handler has not said anything yet");
        }
        return known;
    }

    @Override
    public CompletableFuture<CollectedBody<Answer>> collect(Answer response, long limit) {
        CapturedResponse own = (CapturedResponse) response;
        collecting = true; // before the look at the body: whoever ends it looks at this afterwards
        switch (own.body().gather(limit)) {
            case COMPLETE -> complete(own);
            case OPEN -> bodyIsOpen();
            case TO_COME -> {}
        }
        return collected;
    }

    @Override
    public Answer answer(SharedResponse response, SharedResponse.Receiver receiver) {
        CapturedResponse own = captured;
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
        return failure instanceof HandlerLostException;
    }
}
