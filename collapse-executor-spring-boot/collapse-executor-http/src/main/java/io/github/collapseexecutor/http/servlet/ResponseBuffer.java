package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The response of a handler, held back until it is decided who may have it: its body, its head, and the decision.
 *
 * <pre>
 * OPEN --> UNDECIDED --> GATHERING --> PASSING
 *   |          |                          ^
 *   |          +--------------------------+
 *   +--> UNSHARED
 * </pre>
 *
 * <p>At first the buffer is like the container's own: the head may still change. The head is final when the container's buffer
 * would be full, when the handler flushes, or when the handler has ended. Then {@link #received} is done, and the handler waits
 * for the decision: either the response is for its own client alone and {@linkplain #pass passes}, or others may have it and its
 * body is {@linkplain #gather gathered} to its end or to the limit. Another thread may be about to decide; if it does not do so
 * soon, the response passes and nobody else gets it.
 *
 * <p>Two sides use a buffer. The <em>handler's side</em> is the thread that runs the handler, or a thread that the handler has
 * passed the response to by the container's means; there is one at a time. It alone writes to the client. The <em>deciding
 * side</em> is any thread. A decision only changes the state and wakes the handler's side, so it never waits for a client: the
 * followers are released before the first byte goes to the leader's client.
 *
 * <p>A flush alone does not tell a streaming handler from one that is done, because most frameworks flush what they have
 * written completely. A handler streams if it writes on after a flush, or flushes on a thread of its own; then the response
 * passes.
 */
final class ResponseBuffer {

    private static final System.Logger LOGGER = System.getLogger(CollapseServletFilter.class.getName());

    /** The handler's side waits for a decision that another thread is about to make, but not for longer than this. */
    static final Duration LONGEST_DECISION = Duration.ofSeconds(1);

    /** The handler whose response this is. */
    interface Handler {

        /**
         * What the handler has said about its response, now that the head is final.
         *
         * @param thrown what the handler threw, or null
         */
        ServletHandlerHead finalHead(@Nullable Throwable thrown);

        /** Whether the response, which has come to its end, shows a header of the request that its head did not show. */
        boolean showsMoreThan(ServletHandlerHead head);

        /** What the handler has left in its request. */
        ServletHandlerHead.LeftAttributes leftAttributes();

        /** Whether anything says on whose behalf the request is made. */
        boolean isOfSomebody();

        /** Whether the container sent the present thread, and not the handler. */
        boolean isInDispatch();

        /** Whether a resource runs that the handler has included. */
        boolean isIncluded();
    }

    @FunctionalInterface
    private interface Opening<T> {

        T open() throws IOException;
    }

    private enum State {
        /** The head may change. */
        OPEN,
        /** The head is final; nobody has said who may have the response. */
        UNDECIDED,
        /** Others may have the response if it comes to an end within the limit. */
        GATHERING,
        /** What the handler writes goes to its own client. */
        PASSING,
        /** As PASSING, but before the head was final: the response behaves as the container's own. */
        UNSHARED
    }

    /** How many bytes a charset has at most for one of UTF-8. */
    private static final long MOST_BYTES = 4;

    // immutable
    private final ServletAnswer answer;
    private final Handler handler;
    private final Duration longestDecision;
    private final HttpServletResponse response;
    private final ClientBody client;
    private final HandlerOutput output;
    private final CompletableFuture<ServletAnswer> received;
    private final CompletableFuture<BoundedBody<ServletAnswer>> collected = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition decided = lock.newCondition();

    // mutable, written under the lock
    private volatile State state = State.OPEN;
    private long limit;

    // mutable, written by the side that ends the state OPEN
    private volatile @Nullable ServletHandlerHead head;
    /** The head was made when the handler had ended, so that it was made of all that there is. */
    private volatile boolean headOfWhole;
    // mutable, written by the handler's side
    private volatile boolean ended;

    // mutable; the handler's side writes it, and no more once it waits for a decision or has ended
    private final Recorder recorder = new Recorder();
    private @Nullable Throwable thrown;
    private boolean flushed;
    private boolean streaming;

    // mutable, confined to the handler's side
    private boolean closed;

    private boolean full;
    private long declared = -1;
    private int largestWrite;
    private boolean discarding;
    private boolean openedLater;
    private boolean passed;
    private @Nullable IOException loss;
    private boolean lossTold;

    /**
     * Creates the buffer of one run of a handler.
     *
     * @param response the container's response
     * @param answer what stands for this response among the answers
     * @param received done when the head is final
     */
    ResponseBuffer(
            HttpServletResponse response,
            ServletAnswer answer,
            Handler handler,
            CompletableFuture<ServletAnswer> received) {
        this(response, answer, handler, received, LONGEST_DECISION);
    }

    ResponseBuffer(
            HttpServletResponse response,
            ServletAnswer answer,
            Handler handler,
            CompletableFuture<ServletAnswer> received,
            Duration longestDecision) {
        this.answer = answer;
        this.handler = handler;
        this.received = received;
        this.longestDecision = longestDecision;
        this.response = response;
        this.client = new ClientBody(response);
        this.output = new HandlerOutput(this, client);
    }

    // The deciding side.

    /** The head as the handler left it; to be asked for once {@link #received} is done. */
    ServletHandlerHead head() {
        ServletHandlerHead known = head;
        if (known == null) {
            throw new IllegalStateException("The handler has not said anything yet");
        }
        return known;
    }

    /**
     * Gathers the body for all that wait, because others may have the response.
     *
     * @param most the largest body that is shared, in bytes
     * @return a future of the body, or of the news that there is more of it, or that it passes already
     */
    CompletableFuture<BoundedBody<ServletAnswer>> gather(long most) {
        BoundedBody<ServletAnswer> known = null;
        lock.lock();
        try {
            limit = most;
            if (state != State.UNDECIDED || recorder.size() > most || (streaming && !ended)) {
                known = passingBody();
            } else {
                state = State.GATHERING;
                decided.signalAll();
                known = ended ? wholeBody() : null;
            }
        } finally {
            lock.unlock();
        }
        if (known != null) {
            collected.complete(known);
        }
        return collected;
    }

    /** A body that only its own client gets, and why. */
    private BoundedBody<ServletAnswer> passingBody() {
        if (recorder.size() > limit) {
            return BoundedBody.tooLarge(answer);
        }
        return BoundedBody.notShared(answer, streaming ? Reason.STREAM : Reason.ADAPTER);
    }

    /** The whole body; if it cannot be told, the others go on without it. */
    private BoundedBody<ServletAnswer> wholeBody() {
        try {
            if (!headOfWhole && handler.showsMoreThan(head())) {
                return BoundedBody.notShared(answer, Reason.ADAPTER); // who gets it was decided by the head
            }
            byte[] body = recorder.body();
            return BoundedBody.complete(
                    client.encoded(body), answer, recorder.end(body, handler.leftAttributes(), thrown));
        } catch (RuntimeException | Error failure) {
            warn(failure);
            return BoundedBody.notShared(answer, Reason.ADAPTER);
        }
    }

    /** The head; if it cannot be told, the response is for its own client. */
    private ServletHandlerHead finalHead() {
        try {
            return handler.finalHead(thrown);
        } catch (RuntimeException | Error failure) {
            warn(failure);
            return ServletHandlerHead.ofClientOnly();
        }
    }

    /** The followers must not wait for ever, and the handler of the leader has done nothing wrong. */
    private static void warn(Throwable failure) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "A response is not shared, because it cannot be told what its handler has left: the memory is short, or a filter"
                        + " in front has wrapped the request or the response and fails",
                failure);
    }

    /** Has somebody see the body as it goes to the client; to be asked for before the response {@linkplain #pass passes}. */
    void watch(BodyWatch watch) {
        client.watch(watch);
    }

    /** The response is for its own client alone, or for its own client now; the handler's side passes it on. */
    void pass() {
        lock.lock();
        try {
            if (state != State.UNSHARED) {
                state = State.PASSING;
                decided.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Changes the head of the response, unless it may have gone to the client, and the response to the container, already. */
    void whileHeld(Runnable change) {
        lock.lock();
        try {
            if (!isPassing()) {
                change.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The handler goes on where its end is not seen: only its own client waits for it. */
    void release() {
        boolean open;
        lock.lock();
        try {
            open = state == State.OPEN;
            if (open) {
                state = State.UNSHARED;
                head = ServletHandlerHead.ofClientOnly();
            }
        } finally {
            lock.unlock();
        }
        collected.complete(BoundedBody.notShared(answer, Reason.ADAPTER));
        if (open) {
            received.complete(answer);
        }
    }

    /** The container is done with the request; if the handler is not, nobody will know what it does. */
    void lost() {
        if (!ended) {
            ServletHandlerRun.LostException lost = new ServletHandlerRun.LostException();
            received.completeExceptionally(lost);
            collected.completeExceptionally(lost);
        }
    }

    // The handler's side.

    /** What the handler does is recorded here until the response passes. */
    Recorder recorder() {
        return recorder;
    }

    ServletOutputStream openStream() throws IOException {
        return opened(output::openStream, false);
    }

    PrintWriter openWriter() throws IOException {
        return opened(output::openWriter, true);
    }

    /** Opens the body. Where the container refuses that, as for a charset that it does not know, only it knows what becomes of the response. */
    private <T> T opened(Opening<T> opening, boolean asWriter) throws IOException {
        try {
            T opened = opening.open();
            recorder.opened(asWriter);
            return opened;
        } catch (IOException | RuntimeException refusal) {
            keepForClient();
            throw refusal;
        }
    }

    /**
     * The handler asks for its stream or writer again. A filter in front may write as soon as it is asked, or give another one than before, as
     * that of Spring for entity tags does to a handler that has set one: it is asked when all that was written before has reached it.
     */
    void openAgain(boolean asWriter) throws IOException {
        drain();
        if (isPassing()) {
            passHeld();
            client.open(asWriter);
        } else if (recorder.hasBegun()) {
            recorder.openedLater(asWriter);
            openedLater = true;
        } else {
            client.open(asWriter);
            recorder.opened(asWriter);
        }
    }

    /** Whether what a filter in front gives the handler is still to be asked for, which may depend on the head as it is now. */
    boolean isOpenedLater() {
        return openedLater && !passed;
    }

    /** Whether a part of the response waits for the decision, be it no more than a flush. */
    boolean hasBegun() {
        return !passed && recorder.hasBegun();
    }

    /** Whether the head may not change any more, although the container's own response may not be committed. */
    boolean isHeadFinal() {
        return state != State.OPEN && state != State.UNSHARED;
    }

    /** Whether the handler has ended and its own client has got what it wrote; what comes now is the container's. */
    boolean isLeft() {
        return ended && passed;
    }

    /** Whether the handler has ended by throwing something. */
    boolean hasFailed() {
        return ended && thrown != null;
    }

    /** Whether any container has committed the response, if no filter in front holds it back. */
    boolean isSurelyCommitted() {
        return flushed || closed || full;
    }

    /**
     * Whether a container may have committed the response: Jetty does so at a single large write, and at so many bytes as were declared, Tomcat's
     * writer holds more than its buffer.
     */
    boolean mayBeCommitted() {
        drain();
        int size = response.getBufferSize();
        int written = client.encodedSize(recorder);
        return state != State.OPEN
                || written >= size
                || (declared > 0 && written >= declared)
                || largestWrite > size / 4;
    }

    /** The handler has said how long the body is: containers differ in what they do with a longer one. Negative if it has not. */
    void declare(long length) {
        drain();
        declared = length;
        if (isLongerThanDeclared()) {
            leaveToContainer();
        }
    }

    /** What is written is kept in UTF-8. Its bytes in another charset are counted while the head may change; later, they are as many as its characters at least. */
    private boolean isLongerThanDeclared() {
        if (declared < 0 || recorder.size() * MOST_BYTES <= declared) {
            return false;
        }
        if (state == State.OPEN) {
            return client.encodedSize(recorder) > declared;
        }
        return recorder.size() > declared
                && ("UTF-8".equalsIgnoreCase(response.getCharacterEncoding()) || recorder.count() > declared);
    }

    /** What was written goes to the container, and the others go on without the response. */
    void leaveToContainer() {
        if (state == State.OPEN) {
            keepForClient();
        } else {
            commit();
        }
    }

    /** As {@link #leaveToContainer}, with what a writer still has to encode. */
    void leaveWritten() {
        drain();
        leaveToContainer();
    }

    boolean isPassing() {
        return state == State.PASSING || state == State.UNSHARED;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether anything is held back, be it by the encoder of a writer. */
    boolean holdsContent() {
        drain();
        return recorder.size() > 0;
    }

    /** The failure to pass something on to the client, if there was one that the handler does not know of. */
    @Nullable IOException loss() {
        return lossTold ? null : loss;
    }

    /** Forgets what was written; how it was to be written, too, is open again if the response is reset. */
    void clear() {
        discarding = true;
        drain();
        discarding = false;
        recorder.clearBody();
        largestWrite = 0;
    }

    /** The response has been reset, and begins anew, also behind an end that a filter in front has not passed on. */
    void reset(long length) {
        clear();
        if (closed) {
            output.forget();
        }
        closed = false;
        full = false;
        declare(length);
    }

    /**
     * Ends the body if so much has been written. More would not be sent. Some containers count the characters of a writer, and others the bytes:
     * where both differ, only they know.
     */
    void finishIfWritten(long length) {
        drain();
        int size = recorder.size();
        if (state == State.OPEN && size >= length && recorder.count() == size && client.encodedSize(recorder) == size) {
            full = true;
            finishHead();
        }
    }

    /** The response is for the handler's own client alone, and what was written reaches the container before what comes now. */
    void passWritten() {
        drain();
        keepForClient();
    }

    /** The handler asks what only the container knows of a committed response: it commits, and the others go on without it. */
    void commit() {
        if (state == State.GATHERING) {
            bodyIsOpen();
        } else {
            passHeld();
        }
    }

    /** The response is for the handler's own client alone, whatever it is going to be; an open head may still change. */
    void keepForClient() {
        if (state == State.GATHERING) {
            bodyIsOpen();
        } else if (state == State.OPEN) {
            release();
            passHeld();
        }
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        rethrowLoss();
        boolean mayBeHeld = response instanceof ServletResponseWrapper;
        if (discarding || length == 0 || (full && !closed && !mayBeHeld)) {
            return;
        }
        if (closed || full) {
            leaveToContainer(); // Tomcat 11 refuses what comes after an end, and a filter in front may hold it, too
        }
        if (isPassing()) {
            passHeld();
            rethrowLoss();
            client.write(bytes, offset, length);
            return;
        }
        recorder.wrote(bytes, offset, length);
        largestWrite = Math.max(largestWrite, length);
        if (isLongerThanDeclared()) {
            leaveToContainer();
            rethrowLoss();
            return;
        }
        if (flushed) {
            streaming = true;
        }
        if (state == State.OPEN && client.encodedSize(recorder) > response.getBufferSize()) {
            finishHead();
        } else if (state == State.GATHERING && (streaming || recorder.size() > limit)) {
            bodyIsOpen();
        }
        rethrowLoss();
    }

    /**
     * A text is written to the stream. Jetty encodes it in the charset of the response, and others do in ISO-8859-1 or refuse it: where that makes
     * a difference, the container is asked.
     */
    void print(String text) throws IOException {
        byte[] bytes = client.printed(text);
        if (bytes != null) {
            write(bytes, 0, bytes.length);
        } else if (!discarding) {
            leaveToContainer();
            rethrowLoss();
            client.print(text);
        }
    }

    /** What the handler has written, including what a writer still has to encode, is to reach its client. */
    void flushResponse() throws IOException {
        drain();
        flush(ServletRecording.Flushed.Of.RESPONSE);
    }

    /** What the handler has written to its stream or writer is to reach its client. */
    void flushBody() throws IOException {
        if (handler.isIncluded()) {
            leaveToContainer(); // Undertow ignores it
        }
        flush(ServletRecording.Flushed.Of.BODY);
    }

    private void flush(ServletRecording.Flushed.Of what) throws IOException {
        rethrowLoss();
        flushed = true;
        streaming |= !handler.isInDispatch();
        if (isPassing()) {
            passHeld();
            client.flush(what);
            return;
        }
        recorder.flushed(what);
        if (state == State.OPEN) {
            finishHead();
        } else if (streaming) {
            bodyIsOpen();
        }
        rethrowLoss();
    }

    void close() throws IOException {
        if (declared > recorder.size() || handler.isIncluded()) {
            leaveToContainer(); // Jetty refuses to end a body too early, and Undertow to commit it in an include
        } else if (!closed) {
            recorder.closed();
        }
        closed = true;
        if (state == State.OPEN) {
            finishHead(); // a container commits what is closed
        }
        if (isPassing()) {
            passHeld();
            client.close();
        }
    }

    /** Whatever comes, it goes to the handler's own client as it comes. */
    void openForGood() throws IOException {
        streaming = true;
        if (state == State.OPEN) {
            finishHead();
        } else if (state == State.GATHERING) {
            bodyIsOpen();
        }
        pass();
        passHeld();
        rethrowLoss();
    }

    /**
     * The handler has ended: the others learn of it first, then its own client gets what it has not got yet.
     *
     * @param failure what the handler threw; then the container writes the response
     */
    void end(@Nullable Throwable failure) {
        if (ended) {
            return;
        }
        drain();
        thrown = failure;
        boolean committed = state == State.GATHERING; // as the handler sees it
        ended = true;
        if (state == State.OPEN) {
            finishHead();
        } else if (committed && failure != null && handler.isOfSomebody()) {
            collected.completeExceptionally(new ServletHandlerRun.LostException()); // it may be about that user
        } else if (committed) {
            collected.complete(wholeBody());
        }
        awaitDecision();
        passHeld();
        client.ended(failure == null && loss == null);
    }

    /** Makes the head known, and goes on when it is decided what becomes of the response. */
    private void finishHead() {
        if (!closeHead()) {
            passHeld();
            return;
        }
        headOfWhole = ended;
        head = finalHead();
        received.complete(answer);
        awaitDecision();
        if (isPassing()) {
            passHeld();
        }
    }

    /** Makes the head final; false if others have been released meanwhile. */
    private boolean closeHead() {
        lock.lock();
        try {
            if (state != State.OPEN) {
                return false;
            }
            state = State.UNDECIDED;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** There is more than may be shared, or it does not come to an end by itself: the others go on without it. */
    private void bodyIsOpen() {
        collected.complete(passingBody());
        pass();
        passHeld();
    }

    /** Waits until it is known what to do with the bytes: where the handler has ended, until they may pass. */
    private void awaitDecision() {
        lock.lock();
        try {
            long left = longestDecision.toNanos();
            while ((state == State.UNDECIDED || (ended && state == State.GATHERING)) && left > 0) {
                left = decided.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (state == State.UNDECIDED || ended) {
                pass(); // without a decision the response is for its own client alone
            }
            lock.unlock();
        }
    }

    /** Passes on what was held back, once. */
    private void passHeld() {
        if (passed) {
            return;
        }
        passed = true;
        try {
            recorder.passTo(client);
        } catch (IOException e) {
            loss = e;
        }
    }

    private void rethrowLoss() throws IOException {
        if (loss != null) {
            lossTold = true;
            throw loss;
        }
    }

    private void drain() {
        try {
            output.drain();
        } catch (IOException e) {
            loss = e;
        }
    }
}
