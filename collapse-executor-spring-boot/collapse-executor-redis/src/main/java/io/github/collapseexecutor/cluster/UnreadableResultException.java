package io.github.collapseexecutor.cluster;

/** What stands in Redis is of no use to this instance, which then makes the call itself. */
final class UnreadableResultException extends Exception {

    private static final long serialVersionUID = 1L;

    // immutable
    private final boolean ofOthers;

    UnreadableResultException(String message) {
        super(message);
        ofOthers = false;
    }

    private UnreadableResultException(String message, boolean ofOthers) {
        super(message);
        this.ofOthers = ofOthers;
    }

    /** What stands there is good, but not for the waiter that found it. */
    static UnreadableResultException forOthers() {
        return new UnreadableResultException(
                "A stored result was not made for the question that it was given to: somebody else writes to Redis",
                true);
    }

    /** Whether only the waiter that found it cannot use it. */
    boolean isOfOthers() {
        return ofOthers;
    }

    UnreadableResultException(String message, Throwable cause) {
        super(message, cause);
        ofOthers = false;
    }
}
