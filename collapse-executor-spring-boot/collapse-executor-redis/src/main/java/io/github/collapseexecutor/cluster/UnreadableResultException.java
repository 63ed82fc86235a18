package io.github.collapseexecutor.cluster;

import org.jspecify.annotations.Nullable;

/** What stands in Redis is of no use to this instance, which then makes the call itself. */
final class UnreadableResultException extends Exception {

    private static final long serialVersionUID = 1L;

    // immutable
    private final boolean ofOthers;

    UnreadableResultException(String message) {
        this(message, null, false);
    }

    UnreadableResultException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private UnreadableResultException(String message, @Nullable Throwable cause, boolean ofOthers) {
        super(message, cause);
        this.ofOthers = ofOthers;
    }

    /** What stands there is good, but not for the waiter that found it. */
    static UnreadableResultException forOthers() {
        return new UnreadableResultException(
                "A stored result was not made for the question that it was given to: somebody else writes to Redis",
                null,
                true);
    }

    /** Whether only the waiter that found it cannot use it. */
    boolean isOfOthers() {
        return ofOthers;
    }
}
