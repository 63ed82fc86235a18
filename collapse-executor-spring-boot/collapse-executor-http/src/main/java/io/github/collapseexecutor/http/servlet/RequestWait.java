package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.rules.SharedResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The wait of one request until it is decided what becomes of it.
 *
 * <pre>
 * ON_THREAD -------------> decided --> TAKEN
 *     |                       ^
 *     +------> PARKED --------+
 *     |          |
 *     +----------+--> GONE
 * </pre>
 *
 * <p>The request waits on the thread that brought it, or is parked: then its thread goes back to the container. Any thread
 * decides, once. It writes nothing: it wakes the waiting thread, or has the container dispatch the parked request back, and a
 * thread of the container runs the handler or writes the answer. So a slow client delays no other request.
 *
 * <p>All transitions are made by CAS.
 */
final class RequestWait {

    /** What becomes of a request. */
    sealed interface Decision extends Phase {

        /** Its handler is to run. */
        record Run() implements Decision {}

        /** The response of another's handler answers it. */
        record Answered(SharedResponse response) implements Decision {}

        /** It cannot be answered. */
        record Failed(Throwable failure) implements Decision {}
    }

    private sealed interface Phase permits Decision, Point, Parked {}

    private enum Point implements Phase {
        /** Nothing is decided, and its thread is with it. */
        ON_THREAD,
        /** Somebody carries out the decision. */
        TAKEN,
        /** Nobody waits any more: the thread was interrupted, or the container has ended the request. */
        GONE
    }

    /** Nothing is decided, and no thread is with it. */
    private record Parked(AsyncContext context) implements Phase {}

    // immutable
    private final Executor dispatcher;
    private final Thread thread = Thread.currentThread();

    // mutable, by CAS
    private final AtomicReference<Phase> phase = new AtomicReference<>(Point.ON_THREAD);

    /**
     * Creates the wait of the request that the present thread has brought.
     *
     * @param dispatcher hands parked requests back to the container
     */
    RequestWait(Executor dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Decides what becomes of the request; returns false if that is decided already, or nobody waits any more. */
    boolean decide(Decision decision) {
        if (phase.compareAndSet(Point.ON_THREAD, decision)) {
            if (Thread.currentThread() != thread) {
                LockSupport.unpark(thread);
            }
            return true;
        }
        Phase present = phase.get();
        if (!(present instanceof Parked parked) || !phase.compareAndSet(present, decision)) {
            return false;
        }
        try {
            dispatcher.execute(() -> dispatch(parked.context()));
        } catch (RejectedExecutionException e) {
            dispatch(parked.context()); // by this thread, then
        }
        return true;
    }

    private void dispatch(AsyncContext context) {
        try {
            context.dispatch();
        } catch (IllegalStateException e) {
            // The container has ended the request: its listener has said so, or is about to.
        } catch (RuntimeException | LinkageError missing) {
            context.getRequest()
                    .getServletContext()
                    .log(
                            "collapse-executor: a filter in front has wrapped a request so that it cannot be dispatched",
                            missing);
            end(context);
        }
    }

    /** The client of a request that cannot go on gets an error instead of nothing, and the listener is told of the end. */
    private static void end(AsyncContext context) {
        try {
            ((HttpServletResponse) context.getResponse()).setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        } finally {
            context.complete();
        }
    }

    boolean isDecided() {
        return phase.get() instanceof Decision;
    }

    /** Whether the decision was taken, so that a dispatch of the request is its handler's own. */
    boolean isTaken() {
        return phase.get() == Point.TAKEN;
    }

    /** Takes the decision that was made. */
    Decision take() {
        if (phase.getAndSet(Point.TAKEN) instanceof Decision decision) {
            return decision;
        }
        throw new IllegalStateException("A request was dispatched before it was decided what becomes of it");
    }

    /**
     * Waits on the request's own thread until something is decided, and takes the decision.
     *
     * @throws InterruptedException if the thread is interrupted first; then nothing can be decided any more. An interruption that
     *     comes later is left to the thread
     */
    Decision await() throws InterruptedException {
        while (!isDecided()) {
            if (!Thread.currentThread().isInterrupted()) {
                LockSupport.park(this);
            } else if (phase.compareAndSet(Point.ON_THREAD, Point.GONE)) {
                boolean unusedStatus = Thread.interrupted();
                throw new InterruptedException();
            }
        }
        return take();
    }

    /**
     * Gives the request's thread back to the container.
     *
     * @param run of the handler, which may be in the dispatch
     * @param ended is told when the container is done with the request, decided or not
     * @return how long the container usually lets an asynchronous request take, in milliseconds
     */
    long park(HttpServletRequest request, HttpServletResponse response, ServletHandlerRun run, Runnable ended) {
        AsyncContext context = null;
        try {
            context = request.startAsync(request, response);
            final long usualTimeout = context.getTimeout();
            context.setTimeout(0); // how long it may wait, the options say
            Parked parked = new Parked(context);
            context.addListener(new AsyncEnd(() -> {
                phase.compareAndSet(parked, Point.GONE);
                ended.run();
            }));
            FailedDispatch.watch(context, response, run);
            if (!phase.compareAndSet(Point.ON_THREAD, parked)) {
                context.dispatch(); // decided meanwhile
            }
            return usualTimeout;
        } catch (RuntimeException | Error failure) {
            boolean unusedUndecided = phase.compareAndSet(Point.ON_THREAD, Point.GONE);
            ended.run(); // also if it is decided already: no thread carries that out
            if (context != null || request.isAsyncStarted()) { // Jetty leaves such a request to its time-out
                end(context == null ? request.getAsyncContext() : context);
            }
            throw failure;
        }
    }
}
