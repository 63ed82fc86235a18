package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the handler of a leader writes its body to: a stream, or a writer that encodes into one what {@link ClientBody} decodes. */
final class HandlerOutput {

    // immutable
    private final ResponseBuffer buffer;
    private final ClientBody client;

    // mutable, confined to the handler
    private @Nullable OutputStreamWriter encoder;
    private boolean draining;

    HandlerOutput(ResponseBuffer buffer, ClientBody client) {
        this.buffer = buffer;
        this.client = client;
    }

    ServletOutputStream openStream() throws IOException {
        client.openStream();
        encoder = null;
        return new BodyStream();
    }

    PrintWriter openWriter() throws IOException {
        client.openWriter();
        OutputStreamWriter encoding = new OutputStreamWriter(new BodyStream(), StandardCharsets.UTF_8);
        encoder = encoding;
        return new BodyWriter(encoding);
    }

    /** As a container's writer, it ignores what is written after its end, and does not flush when it is closed. */
    private final class BodyWriter extends PrintWriter {

        BodyWriter(OutputStreamWriter encoding) {
            super(encoding);
        }

        @Override
        public void write(int character) {
            if (!buffer.isClosed()) {
                super.write(character);
            }
        }

        @Override
        public void write(char[] characters, int offset, int length) {
            if (!buffer.isClosed()) {
                super.write(characters, offset, length);
            }
        }

        @Override
        public void write(String text, int offset, int length) {
            if (!buffer.isClosed()) {
                super.write(text, offset, length);
            }
        }

        @Override
        public void println() {
            if (buffer.isClosed()) {
                return;
            }
            String end = client.lineEnd();
            if (end != null) {
                write(end);
            } else {
                buffer.leaveWritten();
                client.println();
            }
        }

        @Override
        public PrintWriter format(String format, Object... arguments) {
            if (buffer.isClosed()) {
                return this;
            }
            Locale locale = client.formatLocale();
            if (locale != null) {
                return format(locale, format, arguments);
            }
            buffer.leaveWritten();
            client.format(format, arguments);
            return this;
        }

        @Override
        public void close() {
            draining = true;
            try {
                super.close();
            } finally {
                draining = false;
            }
        }

        @Override
        public boolean checkError() {
            boolean ownError = !buffer.isClosed() && super.checkError();
            return ownError || (buffer.sharing().isPassing() && client.hasFailed());
        }
    }

    /** Has the encoder of a writer write what it holds, which is no flush. */
    void drain() throws IOException {
        OutputStreamWriter encoding = encoder;
        if (encoding == null || buffer.isClosed()) {
            return;
        }
        draining = true;
        try {
            encoding.flush();
        } finally {
            draining = false;
        }
    }

    /** A writer that has been closed encodes no more. */
    void forget() {
        encoder = null;
    }

    private final class BodyStream extends ServletOutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            buffer.write(bytes, offset, length);
        }

        @Override
        public void print(@Nullable String text) throws IOException {
            buffer.print(String.valueOf(text));
        }

        @Override
        public void println(@Nullable String text) throws IOException {
            print(text + "\r\n");
        }

        @Override
        public void flush() throws IOException {
            if (!draining) {
                buffer.flushBody();
            }
        }

        @Override
        public void close() throws IOException {
            buffer.close();
        }

        @Override
        public boolean isReady() {
            return !buffer.sharing().isPassing() || client.isReady();
        }

        /** A handler that writes without blocking writes to its own client. */
        @Override
        public void setWriteListener(WriteListener listener) {
            try {
                buffer.openForGood();
            } catch (IOException e) {
                listener.onError(e);
                return;
            }
            client.setWriteListener(listener);
        }
    }
}
