package io.github.collapseexecutor.http.okhttp;

import java.io.IOException;

/**
 * Says that the leader's call failed because the application cancelled it. Its cause is an interruption, so that the executor
 * lets a follower make the call again. No caller sees it.
 */
final class CanceledCallException extends IOException {

    private static final long serialVersionUID = 1L;

    // immutable
    private final IOException original;

    CanceledCallException(IOException original) {
        super("The call was cancelled", new InterruptedException());
        this.original = original;
    }

    /** The exception that the transport threw. */
    IOException original() {
        return original;
    }
}
