package io.github.collapseexecutor.cluster;

/** What stands in Redis is of no use to this instance, which then makes the call itself. */
final class UnreadableResultException extends Exception {

    private static final long serialVersionUID = 1L;

    UnreadableResultException(String message) {
        super(message);
    }

    UnreadableResultException(String message, Throwable cause) {
        super(message, cause);
    }
}
