package io.github.collapseexecutor.core;

/**
 * A batch ended without an answer for this caller.
 *
 * <p>Its batch function returned normally but bound neither an output nor a failure to the caller's {@link Bundle}, or
 * answered with a result from which the caller's output cannot be told (a missing key, a list of another size, a null
 * future). It is a defect of the batch function; the call itself may or may not have had its effect.
 */
public final class UnboundOutputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was left unbound, by which executor, and how to mend it; it holds no input
     */
    public UnboundOutputException(String message) {
        super(message);
    }
}
