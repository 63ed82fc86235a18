package io.github.collapseexecutor.sample.commitlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What the log does with one open file; positions and sizes are in bytes. */
interface LogFile extends Closeable {

    /** Bytes that are read or written at once. */
    int LARGEST_PART = 1 << 20;

    long size() throws IOException;

    /** Reads into the buffer; the number of bytes may be less than there is room for, and is -1 at the end of the file. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Writes from the buffer; the number of bytes may be less than the buffer holds. */
    int write(ByteBuffer source, long position) throws IOException;

    /** Writes all that a buffer holds; returns how much that was. */
    default int writeAll(ByteBuffer source, long position) throws IOException {
        int written = 0;
        while (source.hasRemaining()) {
            int count = write(part(source), position + written);
            if (count <= 0) {
                throw new IOException("Nothing could be written at offset " + (position + written));
            }
            source.position(source.position() + count);
            written += count;
        }
        return written;
    }

    /** Reads until the buffer is full or the file ends, and flips the buffer. */
    default ByteBuffer readAll(ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int count = read(part(target), at);
            if (count < 0) {
                break;
            }
            target.position(target.position() + count);
            at += count;
        }
        return target.flip();
    }

    /** What comes next in a buffer, of which a channel would copy all that it is given into memory outside the heap. */
    private static ByteBuffer part(ByteBuffer buffer) {
        return buffer.slice(buffer.position(), Math.min(buffer.remaining(), LARGEST_PART));
    }

    /** Returns when everything that was written before is on the storage device. */
    void force() throws IOException;

    void truncate(long size) throws IOException;
}
