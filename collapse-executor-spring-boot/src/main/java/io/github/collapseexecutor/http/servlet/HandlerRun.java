package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.BoundedBody;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler, be it synchronous or asynchronous: as soon as the head of its response is final, it tells those who
 * decide who may have it; when it has ended, its body; and its own client is answered last, who may be slow or gone.
 */
final class HandlerRun implements CapturedBody.Owner {

    /** Says that a leader's request ended without its handler having ended; another may try. */
    static final class LostException extends IOException {

        private static final long serialVersionUID = 1L;

        LostException() {
            super("The request whose handler was to answer several requests ended before its handler did");
        }
    }

    // immutable
    private final ArrivedRequest arrived;
    private final CompletableFuture<Answer> sent = new CompletableFuture<>();
    private final CompletableFuture<BoundedBody<Answer>> collected = new CompletableFuture<>();

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
    private @Nullable CompletableFuture<Answer> decision;
    private @Nullable Throwable thrown;
    private long usualTimeout = -1;

    HandlerRun(ArrivedRequest arrived) {
        this.arrived = arrived;
    }

    /** A future of the response, done as soon as its head is final. */
    CompletableFuture<Answer> sent() {
        return sent;
    }

    /** What the handler writes to, null before it runs. */
    @Nullable CapturedResponse captured() {
        return captured;
    }

    HandlerHead head() {
        HandlerHead known = head;
        if (known == null) {
            throw new IllegalStateException("The handler has not said anything yet");
        }
        return known;
    }

    /**
     * Runs the handler; it may not have ended when this returns.
     *
     * @param decisionToCome done when it is decided who may have the response
     * @param timeout how long the container lets a handler take that goes on asynchronously, in milliseconds; negative if that
     *     has not been changed
     */
    void start(
            HttpServletRequest present,
            HttpServletResponse response,
            FilterChain chain,
            CompletableFuture<Answer> decisionToCome,
            long timeout)
            throws IOException, ServletException {
        CapturedResponse capturing = new CapturedResponse(response, this);
        captured = capturing;
        decision = decisionToCome;
        usualTimeout = timeout;
        LeaderRequest leading = new LeaderRequest(present, capturing, this);
        request = leading;
        goOn(leading, capturing, chain);
    }

    /** Runs the rest of a handler that has dispatched its own request. */
    void goOn(HttpServletRequest present, HttpServletResponse response, FilterChain chain)
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

    /** The handler goes on asynchronously. */
    void wentAsync(AsyncContext context) {
        wentAsync = true;
        if (usualTimeout >= 0) {
            context.setTimeout(usualTimeout); // ours does not concern the handler
        }
        context.addListener(new AsyncEnd(this::lost));
    }

    /** The handler has gone on asynchronously and says that it is done. */
    void completed() {
        end(null); // what it could not write, its client has not got, as without us
    }

    /** The container is done with the request; if the handler is not, nobody will know. */
    void lost() {
        CapturedResponse own = captured;
        if (own == null || !own.body().isEnded()) {
            LostException lost = new LostException();
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
        CompletableFuture<Answer> toCome = decision;
        if (toCome == null || toCome.isDone()) {
            return;
        }
        try {
            Answer unused = toCome.get(CapturedBody.LONGEST_DECISION.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            return; // it is not needed any more: the handler has answered
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The handler has ended; if the decision was so late that its response has passed, there is nothing to share any more. */
    private void complete(CapturedResponse own) {
        HandlerHead known = head;
        byte[] whole = own.body().held();
        collected.complete(
                whole == null
                        ? BoundedBody.tooLarge(own)
                        : BoundedBody.complete(whole, own, known == null ? null : known.extras()));
    }

    /** Gathers the body for all who wait; to be asked for once {@link #sent()} is done. */
    CompletableFuture<BoundedBody<Answer>> collect(CapturedResponse own, long limit) {
        collecting = true; // before the look at the body: whoever ends it looks at this afterwards
        switch (own.body().gather(limit)) {
            case ENDED -> complete(own);
            case OPEN -> bodyIsOpen();
            case TO_COME -> {}
        }
        return collected;
    }

    /** The response is for its own client alone, who gets what there is of it, and the rest as it is written. */
    void pass() {
        CapturedResponse own = captured;
        if (own != null && !own.body().isEnded()) {
            own.body().pass();
        }
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
            collected.complete(BoundedBody.tooLarge(own));
        }
    }

    @Override
    public boolean isInDispatch() {
        return dispatched == Thread.currentThread();
    }
}
