package io.github.collapseexecutor.http.servlet;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler, be it synchronous or asynchronous, from the thread that the container sent to the handler's end. Its {@link ResponseBuffer}
 * holds the answer of the handler.
 */
final class ServletHandlerRun implements ResponseBuffer.Handler {

    /** Says that a leader's request ended without its handler having ended; another may try. */
    static final class LostException extends IOException {

        private static final long serialVersionUID = 1L;

        LostException() {
            super("The request whose handler was to answer several requests ended before its handler did");
        }
    }

    /** Where the handler is: {@code ON_THREAD} with each dispatch, then one of those that follow, in their order. */
    private enum Place {
        /** On a thread that the container has sent, at the beginning or by a dispatch. */
        ON_THREAD,
        /** It goes on asynchronously, by a request that it may have unwrapped. */
        STARTED,
        /** It goes on asynchronously, and will be seen to end. */
        SEEN,
        /** It goes on asynchronously, but the request has been completed in its place. */
        COMPLETED
    }

    // immutable
    private final RequestSnapshot snapshot;
    private final @Nullable Runnable asyncUnshared;
    private final ShownHeaders shownHeaders;
    private final CompletableFuture<ServletAnswer> received = new CompletableFuture<>();

    // mutable; written by the thread that runs the handler, before it tells anybody
    private volatile @Nullable ServletCapturedResponse captured;
    // mutable; the thread that the container sent
    private volatile @Nullable Thread dispatched;
    // mutable; that thread, or the one on which the handler goes on asynchronously
    private volatile Place place = Place.ON_THREAD;
    // mutable, confined to the handler
    private @Nullable LeaderRequest request;
    private long usualTimeout = -1;

    /**
     * Creates a run that has not begun.
     *
     * @param asyncUnshared null if followers hold no threads of the container while they wait; otherwise nobody must wait for a
     *     handler that goes on asynchronously, because it needs such a thread to end, and this learns of it
     * @param shownHeaders takes note of the headers that the handler looks at
     */
    ServletHandlerRun(RequestSnapshot snapshot, @Nullable Runnable asyncUnshared, ShownHeaders shownHeaders) {
        this.snapshot = snapshot;
        this.shownHeaders = shownHeaders;
        this.asyncUnshared = asyncUnshared;
    }

    /** A future of the response, done as soon as its head is final. */
    CompletableFuture<ServletAnswer> received() {
        return received;
    }

    /** What the handler writes to, null before it runs. */
    @Nullable ServletCapturedResponse captured() {
        return captured;
    }

    /**
     * Runs the handler; it may not have ended when this returns.
     *
     * @param timeout how long the container lets a handler take that goes on asynchronously, in milliseconds; negative if that
     *     has not been changed
     */
    void start(HttpServletRequest present, HttpServletResponse response, FilterChain chain, long timeout)
            throws IOException, ServletException {
        ServletCapturedResponse capturing = new ServletCapturedResponse(response, this, received);
        captured = capturing;
        usualTimeout = timeout;
        HttpServletResponse shown = ShownResponse.of(capturing);
        LeaderRequest leading = new LeaderRequest(present, shown, capturing, this);
        request = leading;
        goOn(leading, shown, chain);
    }

    /** Runs the rest of a handler that has dispatched its own request. */
    void goOn(HttpServletRequest present, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        place = Place.ON_THREAD;
        dispatched = Thread.currentThread();
        Throwable failure = null;
        try {
            chain.doFilter(present, response);
        } catch (Throwable e) {
            failure = e;
        } finally {
            dispatched = null;
        }
        if (failure == null && (place != Place.ON_THREAD || present.isAsyncStarted())) {
            if (place != Place.SEEN) {
                goesOnUnseen(present);
            }
            return; // the handler goes on elsewhere
        }
        IOException loss = end(failure);
        if (failure != null) {
            rethrow(failure);
        } else if (loss != null) {
            throw loss;
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

    /** The container says that the handler goes on asynchronously, before the handler learns of it. */
    void startedAsync() {
        place = Place.STARTED;
    }

    /** The handler goes on asynchronously by the request that it was given. */
    void wentAsync(AsyncContext context) {
        ServletCapturedResponse own = captured;
        boolean watched = place == Place.STARTED;
        place = Place.SEEN;
        if (usualTimeout >= 0) {
            context.setTimeout(usualTimeout); // ours does not concern the handler
        }
        context.addListener(new AsyncEnd(this::lost));
        if (own == null) {
            return;
        }
        if (!watched) {
            FailedDispatch.watch(context, own, this);
        }
        own.goesOn();
        if (asyncUnshared != null) {
            own.buffer().keepForClient();
            asyncUnshared.run();
        }
    }

    /** The handler goes on asynchronously by a request, and maybe with a response, that it has unwrapped: nobody waits for it. */
    private void goesOnUnseen(HttpServletRequest present) {
        ServletCapturedResponse own = captured;
        if (own == null) {
            return;
        }
        own.sharing().release();
        try {
            present.getAsyncContext().addListener(new AsyncEnd(this::completed));
        } catch (IllegalStateException e) {
            // It has ended, or has been dispatched back, since it was asked whether it goes on.
        }
    }

    /** The handler has gone on asynchronously and says that it is done. */
    void completed() {
        IOException unused = end(null); // what it could not write, its client has not got, as without us
    }

    /** Returns whether the request is to be completed in the place of its handler, which goes on asynchronously. */
    boolean endsByContainer() {
        boolean goesOn = place == Place.STARTED || place == Place.SEEN;
        if (goesOn) {
            place = Place.COMPLETED;
        }
        return goesOn;
    }

    boolean isEndedByContainer() {
        return place == Place.COMPLETED;
    }

    /** The container is done with the request; if the handler is not, nobody will know. */
    void lost() {
        ServletCapturedResponse own = captured;
        if (own == null) {
            received.completeExceptionally(new LostException());
        } else {
            own.sharing().lost();
        }
    }

    /** Ends the response; returns the failure to pass it on to the client, if there was one. */
    private @Nullable IOException end(@Nullable Throwable failure) {
        ServletCapturedResponse own = captured;
        if (own == null) {
            return null;
        }
        try {
            own.buffer().end(failure);
        } finally {
            own.sharing().lost(); // of no effect, unless the memory was too short to end it
        }
        return own.buffer().loss();
    }

    @Override
    public ServletHandlerHead finalHead(@Nullable Throwable thrown) {
        ServletCapturedResponse own = requireNonNull(captured, "nobody has run the handler");
        HttpServletRequest present = requireNonNull(request, "nobody has run the handler");
        snapshot.lookAtUser(present);
        if (snapshot.hasAnotherSession(present)) {
            own.keepFromOthers(); // not every container shows the cookie before it commits
        }
        ServletHandlerHead head = own.head(snapshot.isOfSomebody(), thrown);
        return shownHeaders.isEmpty() ? head : head.showing(shownIn(head, own));
    }

    private Set<String> shownIn(ServletHandlerHead head, ServletCapturedResponse own) {
        return shownHeaders.in(head.headers(), own.buffer().recorder().body(), own.getCharacterEncoding());
    }

    @Override
    public boolean showsMoreThan(ServletHandlerHead head) {
        ServletCapturedResponse own = captured;
        return own != null && !shownHeaders.isEmpty() && !head.shown().containsAll(shownIn(head, own));
    }

    /** Whether a header was there when the key was made. */
    boolean knows(String header) {
        return snapshot.lists(header);
    }

    /**
     * The handler looks at a header of its request.
     *
     * @param byName whether it asks for that one, and does not walk through all
     */
    void looksAt(String header, boolean byName) {
        shownHeaders.lookAt(header, byName);
    }

    @Override
    public ServletHandlerHead.LeftAttributes leftAttributes() {
        LeaderRequest present = requireNonNull(request, "nobody has run the handler");
        return ServletHandlerHead.LeftAttributes.in(present.arrived());
    }

    @Override
    public boolean isOfSomebody() {
        return snapshot.isOfSomebody();
    }

    @Override
    public boolean isInDispatch() {
        return dispatched == Thread.currentThread();
    }

    @Override
    public boolean isIncluded() {
        LeaderRequest leading = request;
        return leading != null && leading.isIncluded();
    }
}
