package io.github.collapseexecutor.http.webflux;

import java.io.IOException;

/** Says that a leader's handler gave nothing that others may have; another may try. */
final class HandlerLostException extends IOException {

    private static final long serialVersionUID = 1L;

    HandlerLostException() {
        super("The handler that was to answer several requests ended without an answer for the others");
    }
}
