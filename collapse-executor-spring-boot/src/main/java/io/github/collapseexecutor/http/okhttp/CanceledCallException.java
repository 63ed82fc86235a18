package io.github.collapseexecutor.http.okhttp;

import java.io.IOException;

/**
 * Says that a call failed because whoever made it cancelled it. It looks like the interruption of a thread, so that
 * another of the calls that it was to answer is made in its place; no caller gets to see it.
 */
final class CanceledCallException extends IOException {

    private static final long serialVersionUID = 1L;

    // immutable
    private final IOException original;

    CanceledCallException(IOException original) {
        super("The call that was made was cancelled", new InterruptedException());
        this.original = original;
    }

    /** What the transport threw. */
    IOException original() {
        return original;
    }
}
