package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.servlet.HandlerHead.Ending;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
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
 * cannot be reset.
 */
final class CapturedResponse extends HttpServletResponseWrapper implements Answer {

    // immutable
    private final ResponseBuffer buffer;

    // mutable, confined to the handler, which hands itself on by the container's means
    private Map<String, List<String>> before;
    private boolean reset;
    private boolean personal;
    private boolean cookies;
    private long declaredLength = -1;
    private @Nullable Locale locale;
    private @Nullable Ending ending;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    /**
     * Captures the response of one run of a handler.
     *
     * @param received done when the head is final
     */
    CapturedResponse(HttpServletResponse response, ResponseBuffer.Handler handler, CompletableFuture<Answer> received) {
        super(response);
        this.before = HandlerHead.headersOf(response);
        this.buffer = new ResponseBuffer(response, this, handler, received);
    }

    ResponseBuffer buffer() {
        return buffer;
    }

    /**
     * What the handler has said until now.
     *
     * @param ofSomebody whether anything says on whose behalf the request is made
     * @param failure what the handler threw, or null
     * @param left what the handler left in the request
     * @param headLength the length of the body that the handler wrote for a HEAD, or -1
     */
    HandlerHead head(
            boolean ofSomebody, @Nullable Throwable failure, HandlerHead.LeftAttributes left, long headLength) {
        Set<String> added = HandlerHead.names();
        HttpServletResponse own = own();
        Map<String, List<String>> headers = HandlerHead.difference(before, HandlerHead.headersOf(own), added);
        String contentType = own.getContentType();
        if (contentType != null && ending == null) {
            headers.put("Content-Type", List.of(contentType));
        }
        long length = declaredLength >= 0 ? declaredLength : headLength;
        if (length >= 0 && ending == null) {
            headers.put("Content-Length", List.of(Long.toString(length)));
        }
        if (cookies) {
            headers.putIfAbsent("Set-Cookie", List.of()); // not every container shows it before it commits
        }
        Ending how = failure == null ? ending : new HandlerHead.Thrown(failure);
        // what is committed behind the capture is not captured
        boolean unseen = own.isCommitted() && how == null && !buffer.isPassing();
        return new HandlerHead(
                failure == null ? own.getStatus() : SC_INTERNAL_SERVER_ERROR,
                headers,
                new HandlerHead.Extras(added, reset, locale, how, left),
                personal || unseen || (failure != null && ofSomebody));
    }

    /** Adds a header that is not the handler's. */
    void mark(String name, String value) {
        buffer.whileHeld(() -> own().addHeader(name, value));
    }

    private HttpServletResponse own() {
        return (HttpServletResponse) getResponse();
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writer != null) {
            throw new IllegalStateException("getWriter() has already been called for this response");
        }
        if (stream == null) {
            stream = buffer.openStream();
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (stream != null) {
            throw new IllegalStateException("getOutputStream() has already been called for this response");
        }
        if (writer == null) {
            writer = buffer.openWriter();
        }
        return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        buffer.flushAll();
    }

    @Override
    public boolean isCommitted() {
        return buffer.isHeadFinal() || super.isCommitted();
    }

    @Override
    public void reset() {
        requireUncommitted();
        super.reset();
        buffer.clear();
        before = Map.of();
        reset = true;
        declaredLength = -1;
        locale = null;
        stream = null;
        writer = null;
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        super.resetBuffer();
        buffer.clear();
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException("The response has already been committed");
        }
    }

    @Override
    public void setBufferSize(int size) {
        if (buffer.isHeadFinal() || buffer.size() > 0) {
            throw new IllegalStateException("Content has already been written to this response");
        }
        super.setBufferSize(size);
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        requireUncommitted();
        buffer.clear();
        ending = new HandlerHead.ErrorSent(status, message);
        super.sendError(status, message);
    }

    @Override
    public void sendError(int status) throws IOException {
        requireUncommitted();
        buffer.clear();
        ending = new HandlerHead.ErrorSent(status, null);
        super.sendError(status);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        requireUncommitted();
        buffer.clear();
        ending = new HandlerHead.RedirectSent(location);
        super.sendRedirect(location);
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        personal = true; // they come after the body, when others have been answered
        super.setTrailerFields(supplier);
    }

    // A committed response ignores what is said about its head, and so does one that would be committed.

    @Override
    public void addCookie(Cookie cookie) {
        if (!buffer.isHeadFinal()) {
            cookies = true;
            super.addCookie(cookie);
        }
    }

    @Override
    public void setHeader(String name, String value) {
        if (!buffer.isHeadFinal()) {
            declaredBy(name, value);
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (!buffer.isHeadFinal()) {
            declaredBy(name, value);
            super.addHeader(name, value);
        }
    }

    private void declaredBy(String name, @Nullable String value) {
        if (name.equalsIgnoreCase("Content-Length")) {
            boolean number = value != null && value.matches("[0-9]{1,18}");
            declaredLength = number ? Long.parseLong(value) : -1;
        }
    }

    @Override
    public void setDateHeader(String name, long date) {
        if (!buffer.isHeadFinal()) {
            super.setDateHeader(name, date);
        }
    }

    @Override
    public void addDateHeader(String name, long date) {
        if (!buffer.isHeadFinal()) {
            super.addDateHeader(name, date);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        if (!buffer.isHeadFinal()) {
            declaredBy(name, Integer.toString(value));
            super.setIntHeader(name, value);
        }
    }

    @Override
    public void addIntHeader(String name, int value) {
        if (!buffer.isHeadFinal()) {
            declaredBy(name, Integer.toString(value));
            super.addIntHeader(name, value);
        }
    }

    @Override
    public void setStatus(int status) {
        if (!buffer.isHeadFinal()) {
            super.setStatus(status);
        }
    }

    @Override
    public void setContentType(String type) {
        if (!buffer.isHeadFinal()) {
            super.setContentType(type);
        }
    }

    @Override
    public void setCharacterEncoding(String charset) {
        if (!buffer.isHeadFinal()) {
            super.setCharacterEncoding(charset);
        }
    }

    @Override
    public void setLocale(Locale newLocale) {
        if (!buffer.isHeadFinal()) {
            locale = newLocale;
            super.setLocale(newLocale);
        }
    }

    @Override
    public void setContentLength(int length) {
        if (!buffer.isHeadFinal()) {
            declaredLength = length;
            super.setContentLength(length);
        }
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!buffer.isHeadFinal()) {
            declaredLength = length;
            super.setContentLengthLong(length);
        }
    }
}
