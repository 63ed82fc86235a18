package io.github.collapseexecutor.sample.commitlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What the log does with one open file; positions and sizes are in bytes. */
interface LogFile extends Closeable {

    long size() throws IOException;

    /** Reads into the buffer; the number of bytes may be less than there is room for, and is -1 at the end of the file. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Writes from the buffer; the number of bytes may be less than the buffer holds. */
    int write(ByteBuffer source, long position) throws IOException;

    /** Returns when everything that was written before is on the storage device. */
    void force() throws IOException;

    void truncate(long size) throws IOException;
}
