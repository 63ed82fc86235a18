package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.dryrun.BodyWatch;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response of the container's, to which bytes are passed in the way that the handler has chosen: by its stream, or
 * as the characters that it has written to its writer. These are held as UTF-8, whatever the response's charset is, so that
 * every character reaches the container's own encoder, which may keep a state between them.
 *
 * <p>Confined to the handler's side of {@link ResponseBuffer}, or to the thread that answers a follower.
 */
final class ClientBody {

    // immutable
    private final HttpServletResponse response;

    // mutable, confined to the handler's side
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    /** The locale of the response when the writer was opened. */
    private @Nullable Locale opened;

    // mutable; written before the first byte is passed
    private volatile @Nullable BodyWatch watch;

    ClientBody(HttpServletResponse response) {
        this.response = response;
    }

    /** Has somebody see what is written. */
    void watch(BodyWatch watching) {
        watch = watching;
    }

    /** Nothing more is written. */
    void ended(boolean complete) {
        BodyWatch watching = watch;
        if (watching != null) {
            watching.ended(complete);
        }
    }

    /** Opens the body as the handler did. */
    void open(boolean asWriter) throws IOException {
        if (asWriter) {
            openWriter();
        } else {
            openStream();
        }
    }

    void openStream() throws IOException {
        stream = response.getOutputStream();
        writer = null;
    }

    /** Opens the container's writer, which fixes the character encoding. */
    void openWriter() throws IOException {
        writer = response.getWriter();
        opened = response.getLocale();
        stream = null;
    }

    /** What was written, as the container encodes it: a declared length is that of these bytes (H29). */
    byte[] encoded(byte[] written) {
        Charset charset = charset();
        return charset.equals(StandardCharsets.UTF_8)
                ? written
                : new String(written, StandardCharsets.UTF_8).getBytes(charset);
    }

    /**
     * How many bytes the container makes of what was written: in another charset than UTF-8, a text has more or fewer. Where the response names a
     * charset that there is not, the container writes in one of its own, which nobody is told.
     */
    int encodedSize(Recorder written) {
        try {
            return charset().equals(StandardCharsets.UTF_8) ? written.size() : encoded(written.body()).length;
        } catch (IllegalArgumentException unknownCharset) {
            return written.size();
        }
    }

    private Charset charset() {
        return writer == null ? StandardCharsets.UTF_8 : Charset.forName(response.getCharacterEncoding());
    }

    /** The bytes of a text that is printed to a stream; null if containers differ in them. */
    byte @Nullable [] printed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        String charset = response.getCharacterEncoding();
        try {
            return charset != null
                            && new String(bytes, StandardCharsets.ISO_8859_1).equals(text)
                            && Arrays.equals(bytes, text.getBytes(charset))
                    ? bytes
                    : null;
        } catch (UnsupportedEncodingException e) {
            return null;
        }
    }

    void print(String text) throws IOException {
        BodyWatch watching = watch;
        if (watching != null) {
            watching.read(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
        if (stream != null) {
            stream.print(text);
        }
    }

    /** How the writer ends a line, which Undertow does as HTTP; null if that is hidden by a filter in front. */
    @Nullable String lineEnd() {
        if (MadeBy.UNDERTOW.isOf(writer)) {
            return "\r\n";
        }
        return MadeBy.UNDERTOW.isBelow(response) ? null : System.lineSeparator();
    }

    /** The locale in which the writer formats what names none, on Jetty that of the response; null if that is hidden by a filter in front. */
    @Nullable Locale formatLocale() {
        Locale usual = Locale.getDefault(Locale.Category.FORMAT);
        if (MadeBy.JETTY.isOf(writer)) {
            return opened;
        }
        return MadeBy.JETTY.isBelow(response) && !usual.equals(opened) ? null : usual;
    }

    void println() {
        if (writer != null) {
            writer.println();
        }
    }

    void format(String format, Object... arguments) {
        if (writer != null) {
            writer.format(format, arguments);
        }
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return;
        }
        BodyWatch watching = watch;
        if (watching != null) {
            watching.read(ByteBuffer.wrap(bytes, offset, length).asReadOnlyBuffer());
        }
        if (writer != null) {
            // an encoder to UTF-8 never splits a character between two of its writes
            writer.write(new String(bytes, offset, length, StandardCharsets.UTF_8));
        } else if (stream != null) {
            stream.write(bytes, offset, length);
        }
    }

    void flush(ServletRecording.Flushed.Of what) throws IOException {
        if (what == ServletRecording.Flushed.Of.RESPONSE) {
            response.flushBuffer();
        } else if (writer != null) {
            writer.flush();
        } else if (stream != null) {
            stream.flush();
        }
    }

    /** Ends the stream or the writer, whichever was opened; for an empty body, whichever a filter in front has opened. */
    void close() throws IOException {
        if (writer != null) {
            writer.close();
        } else if (stream != null) {
            stream.close();
        } else {
            try {
                response.getOutputStream().close();
            } catch (IllegalStateException openedAsWriter) {
                response.getWriter().close();
            }
        }
    }

    boolean hasFailed() {
        return writer != null && writer.checkError();
    }

    boolean isReady() {
        return stream == null || stream.isReady();
    }

    void setWriteListener(WriteListener listener) {
        if (stream != null) {
            stream.setWriteListener(listener);
        }
    }
}
