package io.github.collapseexecutor.http.dryrun;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A body that is watched as it is read. Skipped bytes are read, and there is no way back to a mark.
 * Public for other packages of the library only.
 */
public final class WatchedStream extends FilterInputStream {

    private static final int CHUNK = 8192;

    // immutable
    private final BodyWatch watch;

    public WatchedStream(InputStream body, BodyWatch watch) {
        super(body);
        this.watch = watch;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        if (count < 0) {
            watch.ended(true);
        } else {
            watch.read(ByteBuffer.wrap(bytes, offset, count).asReadOnlyBuffer());
        }
        return count;
    }

    @Override
    public long skip(long most) throws IOException {
        byte[] skipped = new byte[(int) Math.min(CHUNK, Math.max(0, most))];
        return skipped.length == 0 ? 0 : Math.max(0, read(skipped, 0, skipped.length));
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public synchronized void mark(int limit) {
        // as a stream that does not support it
    }

    @Override
    public synchronized void reset() throws IOException {
        throw new IOException("mark/reset not supported");
    }

    @Override
    public void close() throws IOException {
        watch.ended(false);
        super.close();
    }
}
