package io.github.collapseexecutor.core;

import java.util.concurrent.RejectedExecutionException;

/**
 * Says that an executor was closed before it ran this call: the call came later, or its batch had not started when {@link
 * CollapseExecutor#close(java.time.Duration) close} stopped waiting. Its input was not executed.
 */
public final class ExecutorClosedException extends RejectedExecutionException {

    private static final long serialVersionUID = 1L;

    ExecutorClosedException(String message) {
        super(message);
    }
}
