package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response that the handler of a leader writes to. Status and headers go to the leader's own response at once; the body
 * is held back ({@link ResponseBuffer}) until it is known whether others may have it.
 *
 * <p>To the handler it looks like any response: once the container would have committed it, headers cannot be changed and it
 * cannot be reset. When the handler has failed or has said that the container makes the body, Undertow writes its error page to
 * the response with which an asynchronous handler went on, which may be this one. Then everything passes.
 */
final class ServletCapturedResponse extends HttpServletResponseWrapper implements ServletAnswer {

    private static final String CONTENT_LENGTH = "Content-Length";

    private static final Set<String> ADDED_BY_CONTAINER = Set.of(
            "connection",
            "content-language",
            "content-length",
            "content-type",
            "date",
            "keep-alive",
            "server",
            "transfer-encoding");

    /** Filters of Spring wrap each response, and pass on at once what is written and flushed: the names of their wrappers begin with these. */
    private static final List<String> PASSING_ON = List.of(
            "org.springframework.security.web.",
            "org.springframework.session.web.http.",
            "org.springframework.web.filter.ForwardedHeaderFilter$",
            "org.springframework.web.filter.RelativeRedirectResponseWrapper",
            "org.springframework.web.servlet.resource.ResourceUrlEncodingFilter$");

    // immutable
    private final HttpServletResponse original;
    private final ResponseBuffer.Handler handler;
    private final ResponseBuffer buffer;
    private final boolean wrapped;
    /** Whether a filter in front may hold back what is written and flushed. */
    private final boolean mayBeHeldBack;
    /** Whether the container ends a forward by its own response, without a writer, which has a charset. */
    private final boolean endsForwards;

    // mutable, confined to the handler, which hands itself on by the container's means
    private final Map<String, List<String>> before;
    private final SaidHead said = new SaidHead();
    private boolean personal;
    private boolean goesOn;
    private boolean cookies;
    private long declaredLength = -1;
    private boolean containerEnds;
    private boolean cleared;
    /** The buffer has been cleared once, as Tomcat and Undertow do at the beginning of each forward, however it comes about. */
    private boolean mayBeForwarded;

    private boolean forwarded;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    /**
     * Captures the response of one run of a handler.
     *
     * @param received done when the head is final
     */
    ServletCapturedResponse(
            HttpServletResponse response, ResponseBuffer.Handler handler, CompletableFuture<ServletAnswer> received) {
        super(response);
        this.original = response;
        this.handler = handler;
        this.wrapped = response instanceof ServletResponseWrapper;
        this.mayBeHeldBack = mayHoldBack(response);
        this.endsForwards = !wrapped || ShownResponse.isHidden(response);
        this.before = ServletHandlerHead.headersOf(response);
        this.buffer = new ResponseBuffer(response, this, handler, received, SharingState.LONGEST_DECISION);
    }

    private static boolean mayHoldBack(ServletResponse response) {
        return response instanceof ServletResponseWrapper wrapper
                && (PASSING_ON.stream().noneMatch(wrapper.getClass().getName()::startsWith)
                        || mayHoldBack(wrapper.getResponse()));
    }

    ResponseBuffer buffer() {
        return buffer;
    }

    /** Who may have the response; any thread may use this. */
    SharingState sharing() {
        return buffer.sharing();
    }

    /**
     * What the handler has said until now.
     *
     * @param ofSomebody whether anything says on whose behalf the request is made
     * @param failure what the handler threw, or null
     */
    ServletHandlerHead head(boolean ofSomebody, @Nullable Throwable failure) {
        HttpServletResponse own = own();
        Map<String, List<String>> headers = ServletHandlerHead.difference(before, ServletHandlerHead.headersOf(own));
        said.addTo(headers, own);
        if (goesOn) {
            headers.keySet().removeIf(name -> CachingHeaders.contain(ServletRecording.nameOf(name)) && !said.has(name));
        }
        String contentType = said.typeOr(own.getContentType());
        if (contentType != null && !containerEnds) {
            headers.put("Content-Type", List.of(contentType));
        }
        if (declaredLength >= 0 && !containerEnds && failure == null) {
            headers.put(CONTENT_LENGTH, List.of(Long.toString(declaredLength)));
        }
        if (cookies) {
            headers.putIfAbsent("Set-Cookie", List.of()); // not every container shows it before it commits
        }
        // what is committed behind the capture is not captured, and what is made of a status in front is not known
        boolean unseen = !containerEnds
                && failure == null
                && (said.isHiddenStatus(own.getStatus())
                        || (own.isCommitted() && !sharing().isPassing()));
        return new ServletHandlerHead(
                failure == null ? own.getStatus() : SC_INTERNAL_SERVER_ERROR,
                headers,
                personal || unseen || (failure != null && ofSomebody),
                Set.of());
    }

    /** Only the leader's client may have the response, whatever its head says. */
    void keepFromOthers() {
        personal = true;
    }

    /**
     * The handler goes on when the request has left the filters in front. Those complete the headers then, as Spring Security's, which says that
     * nothing is to be stored: that is not said by the handler.
     */
    void goesOn() {
        goesOn = true;
    }

    /** Adds a header that is not the handler's. */
    void mark(String name, String value) {
        sharing().whileHeld(() -> own().addHeader(name, value));
    }

    private HttpServletResponse own() {
        return (HttpServletResponse) getResponse();
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (containerWrites()) {
            return super.getOutputStream();
        }
        if (forwarded && !ContainerForward.ends()) {
            openBehindForward(writer != null);
        }
        if (writer != null) {
            if (isRefused()) {
                throw new IllegalStateException("getWriter() has already been called for this response");
            }
            buffer.passWritten(); // a filter that holds the body back may bear both
            return super.getOutputStream();
        }
        if (stream == null) {
            askInTurn();
            stream = buffer.openStream();
        } else if (!(buffer.isClosed() && ContainerForward.ends())) {
            openAgain(false);
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (containerWrites()) {
            return super.getWriter(); // the container ends its own writer, and would not end ours
        }
        if (forwarded && !ContainerForward.ends()) {
            openBehindForward(stream != null);
        }
        if (isForwardEndedWithoutWriter()) {
            if (!wrapped && !containerEnds) {
                buffer.close();
            }
            return new PrintWriter(Writer.nullWriter());
        }
        if (stream != null) {
            if (isRefused()) {
                throw new IllegalStateException("getOutputStream() has already been called for this response");
            }
            buffer.passWritten();
            return super.getWriter();
        }
        if (writer == null) {
            if (isHeadFinal() && lacksCharset(own().getContentType())) {
                buffer.leaveToContainer(); // a writer adds its charset, which comes too late
            }
            askInTurn();
            writer = buffer.openWriter();
        } else if (buffer.isClosed() && ContainerForward.ends()) {
            return writer; // a forward within that one has ended it
        } else if (wrapped && buffer.isClosed()) {
            buffer.leaveToContainer(); // a filter may give another writer, which takes more
            return super.getWriter();
        } else {
            openAgain(true);
        }
        return writer;
    }

    /** Whether the container ends a forward for which it would open no writer of its own: nothing was opened, or it makes the body. */
    private boolean isForwardEndedWithoutWriter() {
        return endsForwards
                && mayBeForwarded
                && (containerEnds || (stream == null && writer == null))
                && ContainerForward.ends();
    }

    /** Whether nobody in front may allow that the body is opened in both ways, or needs to. */
    private boolean isRefused() {
        return !containerEnds && (!wrapped || ContainerForward.ends());
    }

    /** A filter in front may write as soon as it is asked: what comes before has to reach it before. */
    private void askInTurn() {
        if (wrapped && buffer.hasBegun()) {
            buffer.leaveToContainer();
        }
    }

    /** A filter in front may give another stream or writer each time, and Undertow gives another writer behind a cleared buffer. */
    private void openAgain(boolean asWriter) throws IOException {
        if (wrapped || cleared) {
            cleared = false;
            buffer.openAgain(asWriter);
        }
    }

    /** Whether the container has put a response of its own in between, for an include or a forward, or ignores changes of the head. */
    private boolean isNested() {
        return own() != original || handler.isIncluded();
    }

    /** In an include, only the container knows what it does and what it ignores: it gets what there is, and decides. Returns whether that is so. */
    private boolean leaveIfIncluded() {
        boolean included = handler.isIncluded();
        if (included) {
            buffer.passWritten();
        }
        return included;
    }

    Map<String, List<String>> presentHeaders() {
        return ServletHandlerHead.headersOf(own());
    }

    /** A resource was included, of which the container ignores what it says of the head: other headers have come from filters in front. */
    void includedSince(Map<String, List<String>> headers) {
        presentHeaders().forEach((name, values) -> {
            if (!said.has(name) && !values.equals(headers.get(name))) {
                before.put(name, values);
            }
        });
    }

    private static boolean lacksCharset(@Nullable String type) {
        return type != null && !type.toLowerCase(Locale.ROOT).contains("charset=");
    }

    @Override
    public void flushBuffer() throws IOException {
        if (containerWrites() || leaveIfIncluded()) {
            super.flushBuffer();
        } else {
            buffer.flushResponse();
        }
    }

    @Override
    public boolean isCommitted() {
        boolean committed = isHeadFinal();
        if (committed && (mayBeHeldBack || !buffer.isSurelyCommitted())) {
            buffer.leaveToContainer();
            committed = false;
        }
        return committed || super.isCommitted();
    }

    /**
     * Whether any container would ignore a change of the head. Containers commit at different sizes, and a filter in front may hold back what
     * is written or flushed: where only they know, the response is for its own client alone, and they are asked.
     */
    private boolean isTooLate() {
        if (isHeadFinal() && !wrapped && buffer.isSurelyCommitted()) {
            return true;
        }
        if (!containerWrites() && (buffer.mayBeCommitted() || buffer.isOpenedLater())) {
            buffer.leaveToContainer();
        }
        return false;
    }

    /** Whether the handler cannot change the head any more; a body of the length that it has declared commits the response, but on Undertow. */
    private boolean isHeadFinal() {
        if (declaredLength > 0 && !MadeBy.UNDERTOW.isBelow(own())) {
            buffer.finishIfWritten(declaredLength);
        }
        return sharing().isHeadFinal() && !containerWrites();
    }

    private boolean containerWrites() {
        return buffer.isLeft() && (containerEnds || buffer.hasFailed());
    }

    @Override
    public void reset() {
        if (leaveIfIncluded()) {
            super.reset();
            stream = null; // the container tells whether another one may be opened now
            writer = null;
            return;
        }
        prepareToClear();
        super.reset();
        buffer.reset(declaredLength - 1); // Undertow still ends the body at that length
        buffer.recorder().clear(HttpServletResponse::reset);
        before.clear();
        said.clear();
        declaredLength = -1;
        cleared = false;
        stream = null;
        writer = null;
    }

    @Override
    public void resetBuffer() {
        mayBeForwarded = true;
        if (leaveIfIncluded()) {
            super.resetBuffer();
            return;
        }
        prepareToClear();
        super.resetBuffer();
        buffer.clear();
        buffer.recorder().changed("", HttpServletResponse::resetBuffer);
        cleared = true;
    }

    /**
     * The handler is about to forward. Containers refuse that if the response is committed. Otherwise, they forget what was written, and some of
     * them how it was: only they know what comes of a body that is opened in the other way now, or of another charset.
     */
    void forwards() {
        mayBeForwarded = true;
        if (isCommitted()) {
            buffer.commit();
        } else {
            buffer.clear();
            forwarded = stream != null || writer != null;
        }
    }

    /** Somebody looks for the container's request: it may be the container, for a forward that nobody has told of. */
    void lookForForward() {
        boolean begun = stream != null || writer != null || buffer.hasBegun();
        if (begun && ContainerForward.begins()) {
            forwards();
        }
    }

    /** The body is opened, or its charset changes, behind a forward: only the container knows what comes of another way than before. */
    private void openBehindForward(boolean otherwise) {
        forwarded = false;
        if (otherwise) {
            buffer.keepForClient();
            stream = null;
            writer = null;
        }
    }

    /**
     * Something is to be done that a committed response does not allow, as to clear what was written or to begin a session: the container, or
     * a filter in front that holds the body back, says whether it does.
     */
    void askWhetherCommitted() {
        // asked first, because a writer has to encode what it holds
        boolean content = buffer.holdsContent();
        if (isHeadFinal() || buffer.mayBeCommitted() || (wrapped && content)) {
            buffer.leaveToContainer();
        }
    }

    private void prepareToClear() {
        if (!wrapped && isTooLate()) {
            throw new IllegalStateException("The response has already been committed");
        }
        askWhetherCommitted();
    }

    @Override
    public void setBufferSize(int size) {
        if (!leaveIfIncluded() && (isTooLate() || buffer.holdsContent())) {
            if (!wrapped) {
                throw new IllegalStateException("Content has already been written to this response");
            }
            buffer.leaveToContainer();
        }
        super.setBufferSize(size);
        buffer.recorder().changed("", response -> response.setBufferSize(size));
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        end(status, response -> response.sendError(status, message));
    }

    @Override
    public void sendError(int status) throws IOException {
        end(status, response -> response.sendError(status));
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        end(SC_FOUND, response -> response.sendRedirect(location));
    }

    // The redirects of Servlet 6.1, which is not compiled against.

    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    /**
     * Redirects.
     *
     * @param clearBuffer false if what was written before is to be the body: then the response is for its own client alone
     */
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        ServletRecording.Change redirect = response -> Servlet61.sendRedirect(response, location, status, clearBuffer);
        if (clearBuffer || handler.isIncluded()) {
            end(status, redirect);
        } else {
            prepareToClear();
            buffer.passWritten();
            redirect.applyTo(own());
        }
    }

    /**
     * The container makes the body. Where it refuses, as Jetty does if a length has been declared, only it knows what becomes of the response.
     */
    private void end(int status, ServletRecording.Change change) throws IOException {
        if (leaveIfIncluded()) {
            change.applyTo(own());
            return;
        }
        prepareToClear();
        try {
            change.applyTo(own());
        } catch (IOException | RuntimeException refusal) {
            buffer.clear();
            buffer.keepForClient();
            throw refusal;
        }
        if (own().getStatus() == status) {
            containerEnds = true;
            buffer.clear();
            buffer.declare(0); // what the handler writes now, each container treats in its own way
            buffer.recorder().ended(change);
        } else {
            buffer.leaveToContainer(); // a filter in front holds that
        }
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        if (isTooLate()) {
            throw new IllegalStateException("The response has already been committed");
        }
        personal = true; // they come after the body, when others have been answered
        super.setTrailerFields(supplier);
    }

    // When a container commits, it adds headers of its own.

    @Override
    public Collection<String> getHeaderNames() {
        if (isHeadFinal()) {
            buffer.commit();
        }
        return super.getHeaderNames();
    }

    @Override
    public boolean containsHeader(String name) {
        showAsCommitted(name);
        return super.containsHeader(name);
    }

    @Override
    public @Nullable String getHeader(String name) {
        showAsCommitted(name);
        return super.getHeader(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        showAsCommitted(name);
        return super.getHeaders(name);
    }

    /** Spring MVC itself asks for {@code Cache-Control} after a flush: only what a container may add makes a difference. */
    private void showAsCommitted(String name) {
        if (ADDED_BY_CONTAINER.contains(name.toLowerCase(Locale.ROOT)) && isHeadFinal()) {
            buffer.commit();
        }
    }

    // A committed response ignores what is said about its head, and so does one that would be committed.

    @Override
    public void addCookie(Cookie cookie) {
        if (!isTooLate()) {
            cookies = true;
            super.addCookie(cookie);
        }
    }

    @Override
    public void setHeader(String name, String value) {
        changeHeader(name, value, true, response -> response.setHeader(name, value));
    }

    @Override
    public void addHeader(String name, String value) {
        changeHeader(name, value, false, response -> response.addHeader(name, value));
    }

    @Override
    public void setDateHeader(String name, long date) {
        changeHeader(name, SaidHead.date(date), true, response -> response.setDateHeader(name, date));
    }

    @Override
    public void addDateHeader(String name, long date) {
        changeHeader(name, SaidHead.date(date), false, response -> response.addDateHeader(name, date));
    }

    @Override
    public void setIntHeader(String name, int value) {
        changeHeader(name, Integer.toString(value), true, response -> response.setIntHeader(name, value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        changeHeader(name, Integer.toString(value), false, response -> response.addIntHeader(name, value));
    }

    /** Changes a header, and records that unless it has no effect in an include. */
    private void changeHeader(String name, @Nullable String value, boolean instead, ServletRecording.Change change) {
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            boolean number = value != null && value.matches("[0-9]{1,18}");
            changeLength(number ? Long.parseLong(value) : -1, change);
        } else if (name.equalsIgnoreCase("Content-Type")) {
            changeType(value, change);
        } else if (!isTooLate()) {
            boolean nested = isNested();
            List<String> present = nested ? List.copyOf(own().getHeaders(name)) : List.of();
            apply(change);
            if (nested && List.copyOf(own().getHeaders(name)).equals(present)) {
                return;
            }
            buffer.recorder().changed(name, change);
            if (instead) {
                said.set(name, value);
            } else {
                said.add(name, value);
            }
        }
    }

    private void changeLength(long length, ServletRecording.Change change) {
        if (isTooLate()) {
            return;
        }
        boolean nested = isNested();
        if (!nested) {
            buffer.declare(length);
        }
        apply(change);
        if (!nested || original.containsHeader(CONTENT_LENGTH)) {
            declaredLength = length;
            buffer.recorder().changed(CONTENT_LENGTH, change);
        }
    }

    private void apply(ServletRecording.Change change) {
        try {
            change.applyTo(own());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a change of the head writes nothing
        }
    }

    /** Changes something else about the head; returns whether that has an effect. */
    private boolean change(ServletRecording.Change change) {
        if (isTooLate()) {
            return false;
        }
        if (forwarded && writer != null) {
            openBehindForward(true);
        }
        boolean nested = isNested();
        List<String> present = nested ? shown() : List.of();
        apply(change);
        boolean changed = !nested || !shown().equals(present);
        if (changed) {
            buffer.recorder().changed("", change);
        }
        return changed;
    }

    private void changeType(@Nullable String type, ServletRecording.Change change) {
        if (change(change)) {
            said.type(type);
        }
    }

    private List<String> shown() {
        HttpServletResponse own = own();
        return List.of(
                Integer.toString(own.getStatus()),
                String.valueOf(own.getContentType()),
                String.valueOf(own.getCharacterEncoding()),
                String.valueOf(own.getLocale()));
    }

    @Override
    public void setStatus(int status) {
        ServletRecording.Change change = response -> response.setStatus(status);
        if (status == getStatus() && !isNested() && !containerWrites()) {
            buffer.recorder().changed("", change); // of no effect, early or late
        } else if (change(change)) {
            said.status(status);
        }
    }

    @Override
    public void setContentType(String type) {
        changeType(type, response -> response.setContentType(type));
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        change(response -> response.setCharacterEncoding(charset));
    }

    /** As in Servlet 6.1, which is not compiled against. */
    public void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    @Override
    public void setLocale(Locale locale) {
        change(response -> response.setLocale(locale));
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        changeLength(length, response -> response.setContentLengthLong(length));
    }
}
