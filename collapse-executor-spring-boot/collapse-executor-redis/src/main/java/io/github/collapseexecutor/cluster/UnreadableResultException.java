package io.github.collapseexecutor.cluster;

import org.jspecify.annotations.Nullable;

/** What stands in Redis is of no use to this instance, which then makes the call itself. */
final class UnreadableResultException extends Exception {

    private static final long serialVersionUID = 1L;

    // immutable
    /** Whether only the waiter that found it cannot use it. */
    final boolean isForOthers;

    UnreadableResultException(String message, boolean isForOthers, @Nullable Throwable cause) {
        super(message, cause);
        this.isForOthers = isForOthers;
    }

    UnreadableResultException(String message) {
        this(message, false, null);
    }
}
