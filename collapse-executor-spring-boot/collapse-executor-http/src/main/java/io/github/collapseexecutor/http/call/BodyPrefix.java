package io.github.collapseexecutor.http.call;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What was read of a body: all of it, or so much that it is too large to share (H27). */
final class BodyPrefix {

    // immutable
    private final byte[] bytes;
    private final boolean complete;
    private final InputStream rest;

    private BodyPrefix(byte[] bytes, boolean complete, InputStream rest) {
        this.bytes = bytes;
        this.complete = complete;
        this.rest = rest;
    }

    /** Reads until the end, or until one byte more than the limit. */
    static BodyPrefix read(InputStream body, long limit) throws IOException {
        byte[] bytes = body.readNBytes(Math.toIntExact(limit + 1));
        return new BodyPrefix(bytes, bytes.length <= limit, body);
    }

    boolean isComplete() {
        return complete;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The whole body: what was read, then the rest. */
    InputStream resumed() {
        return new Resumed(new ByteArrayInputStream(bytes), rest);
    }

    /** Unlike a {@link java.io.SequenceInputStream}, it leaves the closing to its reader: a transport may fail then, and a body that has ended has not. */
    private static final class Resumed extends FilterInputStream {

        // immutable
        private final InputStream first;

        Resumed(InputStream first, InputStream rest) {
            super(rest);
            this.first = first;
        }

        @Override
        public int read() throws IOException {
            int read = first.read();
            return read >= 0 ? read : in.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = first.read(into, offset, length);
            return read >= 0 ? read : in.read(into, offset, length);
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = first.skip(count);
            return skipped > 0 ? skipped : in.skip(count);
        }

        @Override
        public int available() throws IOException {
            int available = first.available();
            return available > 0 ? available : in.available();
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
