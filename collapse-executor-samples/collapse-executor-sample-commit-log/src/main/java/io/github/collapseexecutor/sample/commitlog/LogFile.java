package io.github.collapseexecutor.sample.commitlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What the log does with one open file; positions and sizes are in bytes. */
public interface LogFile extends Closeable {

    /** Bytes that are read or written at once. */
    int LARGEST_PART = 1 << 20;

    /**
     * Returns how large the file is.
     *
     * @return bytes
     * @throws IOException if that cannot be read
     */
    long size() throws IOException;

    /**
     * Reads into the buffer.
     *
     * @param target what is read into
     * @param position where to begin in the file
     * @return how many bytes were read: perhaps fewer than there is room for; -1 at the end of the file
     * @throws IOException if the file cannot be read
     */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Writes from the buffer.
     *
     * @param source what is written
     * @param position where to begin in the file
     * @return how many bytes were written: perhaps fewer than the buffer holds
     * @throws IOException if the file cannot be written
     */
    int write(ByteBuffer source, long position) throws IOException;

    /**
     * Writes all that a buffer holds.
     *
     * @param source what is written
     * @param position where to begin in the file
     * @return how many bytes that was
     * @throws IOException if not all could be written
     */
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

    /**
     * Reads until the buffer is full or the file ends, and flips the buffer.
     *
     * @param target what is read into
     * @param position where to begin in the file
     * @return the buffer
     * @throws IOException if the file cannot be read
     */
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

    /**
     * Returns when everything that was written before is on the storage device.
     *
     * @throws IOException if that is not known
     */
    void force() throws IOException;

    /**
     * Cuts the file off.
     *
     * @param size its size from then on, in bytes
     * @throws IOException if it cannot be cut off
     */
    void truncate(long size) throws IOException;
}
