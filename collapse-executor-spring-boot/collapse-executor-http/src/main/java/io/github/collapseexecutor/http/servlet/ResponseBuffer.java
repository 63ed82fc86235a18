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
import org.jspecify.annotations.Nullable;

/**
 * The response of a handler, held back until it is decided who may have it ({@link SharingState}).
 *
 * <p>At first the buffer is like the container's own: the head may still change. The head is final when the container's buffer
 * would be full, when the handler flushes, or when the handler has ended. Then the handler waits for the decision.
 *
 * <p>Only the <em>handler's side</em> uses the buffer: the thread that runs the handler, or a thread that the handler has
 * passed the response to by the container's means; there is one at a time. It alone writes to the client.
 *
 * <p>A flush alone does not tell a streaming handler from one that is done, because most frameworks flush what they have
 * written completely. A handler streams if it writes on after a flush, or flushes on a thread of its own; then the response
 * passes.
 */
final class ResponseBuffer implements SharingState.Body {

    private static final System.Logger LOGGER = System.getLogger(CollapseServletFilter.class.getName());

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

    /** How many bytes a charset has at most for one of UTF-8. */
    private static final long MOST_BYTES = 4;

    // immutable
    private final ServletAnswer answer;
    private final Handler handler;
    private final SharingState sharing;
    private final HttpServletResponse response;
    private final ClientBody client;
    private final HandlerOutput output;

    // mutable, written by the handler's side before it tells the head

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
     * @param longestDecision for how long the handler waits for it to be decided who may have the response
     */
    ResponseBuffer(
            HttpServletResponse response,
            ServletAnswer answer,
            Handler handler,
            CompletableFuture<ServletAnswer> received,
            Duration longestDecision) {
        this.answer = answer;
        this.handler = handler;
        this.sharing = new SharingState(answer, this, received, longestDecision);
        this.response = response;
        this.client = new ClientBody(response);
        this.output = new HandlerOutput(this, client);
    }

    /** Who may have the response; any thread may use this. */
    SharingState sharing() {
        return sharing;
    }

    // The body as the deciding side learns of it.

    @Override
    public int size() {
        return recorder.size();
    }

    @Override
    public boolean isStreaming() {
        return streaming;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    /** If it cannot be told, the others go on without it. */
    @Override
    public BoundedBody<ServletAnswer> whole() {
        try {
            if (!headOfWhole && handler.showsMoreThan(sharing.head())) {
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

    /** Has somebody see the body as it goes to the client; to be asked for before the response {@linkplain SharingState#pass passes}. */
    void watch(BodyWatch watch) {
        client.watch(watch);
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
        if (sharing.isPassing()) {
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
        return !sharing.isOpen() || written >= size || (declared > 0 && written >= declared) || largestWrite > size / 4;
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
        if (sharing.isOpen()) {
            return client.encodedSize(recorder) > declared;
        }
        return recorder.size() > declared
                && ("UTF-8".equalsIgnoreCase(response.getCharacterEncoding()) || recorder.count() > declared);
    }

    /** What was written goes to the container, and the others go on without the response. */
    void leaveToContainer() {
        if (sharing.isOpen()) {
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
        if (sharing.isOpen() && size >= length && recorder.count() == size && client.encodedSize(recorder) == size) {
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
        if (sharing.isGathering()) {
            bodyIsOpen();
        } else {
            passHeld();
        }
    }

    /** The response is for the handler's own client alone, whatever it is going to be; an open head may still change. */
    void keepForClient() {
        if (sharing.isGathering()) {
            bodyIsOpen();
        } else if (sharing.isOpen()) {
            sharing.release();
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
        if (sharing.isPassing()) {
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
        if (sharing.isOpen() && client.encodedSize(recorder) > response.getBufferSize()) {
            finishHead();
        } else if (sharing.isGathering() && (streaming || sharing.isTooLarge())) {
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
        if (sharing.isPassing()) {
            passHeld();
            client.flush(what);
            return;
        }
        recorder.flushed(what);
        if (sharing.isOpen()) {
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
        if (sharing.isOpen()) {
            finishHead(); // a container commits what is closed
        }
        if (sharing.isPassing()) {
            passHeld();
            client.close();
        }
    }

    /** Whatever comes, it goes to the handler's own client as it comes. */
    void openForGood() throws IOException {
        streaming = true;
        if (sharing.isOpen()) {
            finishHead();
        } else if (sharing.isGathering()) {
            bodyIsOpen();
        }
        sharing.pass();
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
        boolean committed = sharing.isGathering(); // as the handler sees it
        ended = true;
        if (sharing.isOpen()) {
            finishHead();
        } else if (committed && failure != null && handler.isOfSomebody()) {
            sharing.keepBody();
        } else if (committed) {
            sharing.tellBody();
        }
        sharing.awaitDecision();
        passHeld();
        client.ended(failure == null && loss == null);
    }

    /** Makes the head known, and goes on when it is decided what becomes of the response. */
    private void finishHead() {
        if (!sharing.closeHead()) {
            passHeld();
            return;
        }
        headOfWhole = ended;
        sharing.tellHead(finalHead());
        if (sharing.isPassing()) {
            passHeld();
        }
    }

    /** There is more than may be shared, or it does not come to an end by itself: the others go on without it. */
    private void bodyIsOpen() {
        sharing.passUnended();
        passHeld();
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
