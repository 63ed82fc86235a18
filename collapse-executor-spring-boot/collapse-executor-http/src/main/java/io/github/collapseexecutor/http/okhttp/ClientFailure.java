package io.github.collapseexecutor.http.okhttp;

/**
 * Carries an unchecked exception that OkHttp or a part of the client threw past the executor, to tell it from an exception of
 * collapsing itself. No caller sees it: each caller gets the original, as without collapsing.
 */
final class ClientFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    // immutable
    private final RuntimeException original;

    ClientFailure(RuntimeException original) {
        super("The client failed", original, false, false);
        this.original = original;
    }

    /** The exception that was thrown. */
    RuntimeException original() {
        return original;
    }
}
