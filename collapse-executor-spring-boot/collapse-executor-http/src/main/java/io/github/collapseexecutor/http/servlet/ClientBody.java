package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.dryrun.BodyWatch;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
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
        stream = null;
    }

    /** Whether a stream or writer is the one that was opened, or another of its kind where a filter makes one each time. */
    boolean isOpened(Object other) throws IOException {
        Object opened = writer == null ? stream : writer;
        return other == opened || (opened != null && opened.getClass() == other.getClass() && other != next());
    }

    /** Asked for only where two were given: one that a filter makes may write to the client as soon as it is made. */
    private Object next() throws IOException {
        return writer == null ? response.getOutputStream() : response.getWriter();
    }

    /** What was written, as the container encodes it: a declared length is that of these bytes (H29). */
    byte[] encoded(byte[] written) {
        Charset charset = writer == null ? StandardCharsets.UTF_8 : Charset.forName(response.getCharacterEncoding());
        return charset.equals(StandardCharsets.UTF_8)
                ? written
                : new String(written, StandardCharsets.UTF_8).getBytes(charset);
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

    /** Ends the stream or the writer, whichever was opened. */
    void close() throws IOException {
        if (writer != null) {
            writer.close();
        } else if (stream != null) {
            stream.close();
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
