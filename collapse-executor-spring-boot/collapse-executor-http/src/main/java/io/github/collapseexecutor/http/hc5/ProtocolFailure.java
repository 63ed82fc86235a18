package io.github.collapseexecutor.http.hc5;

import java.io.IOException;
import org.apache.hc.core5.http.HttpException;

/**
 * Carries an {@link HttpException} past the executor, which knows failures of the transport. No caller sees it: each caller gets
 * the original, as without collapsing.
 */
final class ProtocolFailure extends IOException {

    private static final long serialVersionUID = 1L;

    // immutable
    private final HttpException original;

    ProtocolFailure(HttpException original) {
        super("The exchange failed", original);
        this.original = original;
    }

    /** The exception that was thrown. */
    HttpException original() {
        return original;
    }
}
