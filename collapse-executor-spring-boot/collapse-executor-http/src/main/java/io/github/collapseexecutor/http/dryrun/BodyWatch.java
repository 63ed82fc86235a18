package io.github.collapseexecutor.http.dryrun;

import java.nio.ByteBuffer;

/**
 * Sees the body of a response on its way to its reader, who reads it as if nobody watched.
 *
 * <p>The methods are called one at a time, on the threads that read the body. None of them blocks or throws.
 */
public interface BodyWatch {

    /**
     * A part of the body has been read.
     *
     * @param bytes the part; the watch changes neither its content nor, for others, its position
     */
    void read(ByteBuffer bytes);

    /**
     * Nothing more of the body will be read. Further calls of this method have no effect.
     *
     * @param complete true if this is the end of the body; false if its reader has left or the transport has failed
     */
    void ended(boolean complete);
}
