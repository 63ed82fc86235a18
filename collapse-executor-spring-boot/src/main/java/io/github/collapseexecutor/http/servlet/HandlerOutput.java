package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** What the handler of a leader writes its body to: a stream, or a writer that encodes into one. */
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
        OutputStreamWriter encoding = new OutputStreamWriter(new BodyStream(), client.openWriter());
        encoder = encoding;
        return new PrintWriter(encoding) {
            /** An encoder that is closed flushes what it writes to; a container's writer does not. */
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
                return super.checkError() || (buffer.isPassing() && client.hasFailed());
            }
        };
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
            return !buffer.isPassing() || client.isReady();
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
