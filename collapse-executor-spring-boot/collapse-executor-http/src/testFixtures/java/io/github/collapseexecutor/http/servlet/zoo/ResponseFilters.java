package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Filters that give the handler a response of their own. */
public final class ResponseFilters {

    private ResponseFilters() {}

    /** A response that passes on by methods of its own, as those of security libraries do. */
    public static final class PassingOn extends HttpServletResponseWrapper {

        public PassingOn(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            return super.getOutputStream();
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            return super.getWriter();
        }
    }

    /** Holds the body with Spring's wrapper, and says how long it is. */
    public static final class Caching implements Filter {

        /** Says what the wrapper held. */
        public static final String HEADER = "X-Held";

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ContentCachingResponseWrapper held = new ContentCachingResponseWrapper((HttpServletResponse) response);
            chain.doFilter(request, held);
            held.setHeader(HEADER, held.getStatus() + ", " + held.getContentSize());
            held.copyBodyToResponse();
        }
    }

    /** Captures the body, and writes it in capital letters. */
    public static final class UpperCase implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ByteArrayOutputStream captured = new ByteArrayOutputStream();
            Redirected own = new OfOtherLength((HttpServletResponse) response, captured);
            chain.doFilter(request, own);
            own.finish();
            byte[] changed = captured.toString(StandardCharsets.UTF_8)
                    .toUpperCase(Locale.ROOT)
                    .getBytes(StandardCharsets.UTF_8);
            response.setContentLength(changed.length);
            response.getOutputStream().write(changed);
        }
    }

    /** Whether the client takes a compressed body; the response says that it depends on that. */
    private static boolean isToBeZipped(ServletRequest request, HttpServletResponse response) {
        response.addHeader("Vary", "Accept-Encoding");
        String accepted = ((HttpServletRequest) request).getHeader("Accept-Encoding");
        return accepted != null && accepted.contains("gzip");
    }

    /** Compresses the body as it is written. */
    public static final class Gzip implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletResponse compressed = (HttpServletResponse) response;
            if (!isToBeZipped(request, compressed)) {
                chain.doFilter(request, response);
                return;
            }
            compressed.setHeader("Content-Encoding", "gzip");
            GZIPOutputStream zipped = new GZIPOutputStream(response.getOutputStream());
            Redirected own = new OfOtherLength(compressed, zipped);
            chain.doFilter(request, own);
            own.finish();
            zipped.finish();
        }
    }

    /** Compresses the body as it is written, and writes the head of the compressed form as soon as it is asked where to write. */
    public static final class GzipWhenAsked implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletResponse compressed = (HttpServletResponse) response;
            if (!isToBeZipped(request, compressed)) {
                chain.doFilter(request, response);
                return;
            }
            ZippedWhenAsked zipped = new ZippedWhenAsked(compressed);
            Redirected own = new BegunWhenAsked(compressed, zipped);
            chain.doFilter(request, own);
            own.finish();
            zipped.finish();
        }
    }

    /** Compresses into the stream of a response, which it takes when it begins. */
    private static final class ZippedWhenAsked extends OutputStream {

        // immutable
        private final HttpServletResponse response;

        // mutable, confined to the thread that writes
        private GZIPOutputStream zipped;

        private ZippedWhenAsked(HttpServletResponse response) {
            this.response = response;
        }

        GZIPOutputStream begun() throws IOException {
            if (zipped == null) {
                response.setHeader("Content-Encoding", "gzip");
                zipped = new GZIPOutputStream(response.getOutputStream());
            }
            return zipped;
        }

        void finish() throws IOException {
            if (zipped != null) {
                zipped.finish();
            }
        }

        @Override
        public void write(int b) throws IOException {
            begun().write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            begun().write(bytes, offset, length);
        }
    }

    /** A response whose body goes to a stream that begins when it is asked for. */
    private static final class BegunWhenAsked extends OfOtherLength {

        // immutable
        private final ZippedWhenAsked zipped;

        private BegunWhenAsked(HttpServletResponse response, ZippedWhenAsked zipped) {
            super(response, zipped);
            this.zipped = zipped;
        }

        private void begin() {
            try {
                zipped.begun();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public PrintWriter getWriter() {
            begin();
            return super.getWriter();
        }

        @Override
        public ServletOutputStream getOutputStream() {
            begin();
            return super.getOutputStream();
        }
    }

    /** Counts what is written to each client, as an access log does. */
    public static final class AccessLog implements Filter {

        /** What the log says of a request. */
        public record Entry(int status, int bytes) {}

        // mutable, thread-safe
        private final Map<String, Entry> entries = new ConcurrentHashMap<>();

        /** What the log says of the request of this number. */
        public Entry entry(int number) {
            return Objects.requireNonNullElse(entries.get(Integer.toString(number)), new Entry(0, 0));
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            Counting counted = new Counting(response);
            Redirected own = new Redirected((HttpServletResponse) response, counted);
            try {
                chain.doFilter(request, own);
                own.finish();
            } finally {
                entries.put(
                        ((HttpServletRequest) request).getHeader(ZooClient.Call.NUMBER),
                        new Entry(own.getStatus(), counted.count));
            }
        }
    }

    /** Answers for a handler that throws. */
    public static final class Translating implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            try {
                chain.doFilter(request, response);
            } catch (ServletException e) {
                ((HttpServletResponse) response).setStatus(422);
                response.setContentType("text/plain;charset=UTF-8");
                response.getWriter()
                        .write("translated: "
                                + Objects.requireNonNullElse(e.getRootCause(), e)
                                        .getMessage());
            }
        }
    }

    /** Counts the bytes on their way. */
    private static final class Counting extends OutputStream {

        // immutable
        private final ServletResponse target;

        // mutable, confined to the thread that writes
        private int count;

        private Counting(ServletResponse target) {
            this.target = target;
        }

        @Override
        public void write(int b) throws IOException {
            target.getOutputStream().write(b);
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            target.getOutputStream().write(bytes, offset, length);
            count += length;
        }

        @Override
        public void flush() throws IOException {
            target.getOutputStream().flush();
        }
    }

    /** A response whose body goes elsewhere. */
    private static class Redirected extends HttpServletResponseWrapper {

        // immutable
        private final OutputStream target;

        // mutable, confined to the thread that writes
        private PrintWriter writer;

        private Redirected(HttpServletResponse response, OutputStream target) {
            super(response);
            this.target = target;
        }

        void finish() {
            if (writer != null) {
                writer.flush();
            }
        }

        @Override
        public PrintWriter getWriter() {
            if (writer == null) {
                writer = new PrintWriter(new OutputStreamWriter(target, StandardCharsets.UTF_8));
            }
            return writer;
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int b) throws IOException {
                    target.write(b);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    target.write(bytes, offset, length);
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException();
                }
            };
        }

        @Override
        public void flushBuffer() {}
    }

    /** A response whose body goes elsewhere, and is not as long as the handler says. */
    private static class OfOtherLength extends Redirected {

        private OfOtherLength(HttpServletResponse response, OutputStream target) {
            super(new WithoutLength(response), target);
        }
    }

    /** A response that does not take the handler's word for how long its body is. */
    public static class WithoutLength extends HttpServletResponseWrapper {

        public WithoutLength(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setContentLength(int length) {}

        @Override
        public void setContentLengthLong(long length) {}

        @Override
        public void setHeader(String name, String value) {
            if (!name.equalsIgnoreCase("Content-Length")) {
                super.setHeader(name, value);
            }
        }

        @Override
        public void addHeader(String name, String value) {
            if (!name.equalsIgnoreCase("Content-Length")) {
                super.addHeader(name, value);
            }
        }
    }
}
