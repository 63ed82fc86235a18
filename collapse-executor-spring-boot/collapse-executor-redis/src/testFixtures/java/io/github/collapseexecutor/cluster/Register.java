package io.github.collapseexecutor.cluster;

/** A number that is written and read at the same time; what a read gives was true at its beginning. */
interface Register {

    /** Returns the number, slowly. */
    long read() throws Exception;

    /** Increments the number. */
    void write() throws Exception;

    /** Returns the greatest number whose write has ended: a read that begins now must not return less. */
    long ended() throws Exception;
}
