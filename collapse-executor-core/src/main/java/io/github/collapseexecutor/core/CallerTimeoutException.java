package io.github.collapseexecutor.core;

import java.util.concurrent.TimeoutException;

/**
 * Says that a timeout passed which a caller had set for itself ({@link CallOptions#timeout(java.time.Duration)}). Where {@link
 * CollapseOptions#callTimeout() callTimeout} passed, which all callers have in common, the exception is a plain {@link
 * TimeoutException}.
 */
public final class CallerTimeoutException extends TimeoutException {

    private static final long serialVersionUID = 1L;

    CallerTimeoutException(String message) {
        super(message);
    }
}
