package io.github.collapseexecutor.http.call;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

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
        return new SequenceInputStream(new ByteArrayInputStream(bytes), rest);
    }
}
