package io.github.collapseexecutor.spring.annotation;

/**
 * Says that a caller's wait for another caller's execution ended without an answer, by an interruption or a timeout, and that the
 * method declares neither. The cause is the {@link InterruptedException}, with the thread's interrupt status set, or the {@link
 * java.util.concurrent.TimeoutException}.
 */
public final class CollapsedCallException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * For the library.
     *
     * @param message which method, and how the wait ended
     * @param cause the interruption or the timeout
     */
    public CollapsedCallException(String message, Exception cause) {
        super(message, cause);
    }
}
