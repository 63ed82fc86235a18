package io.github.collapseexecutor.sequence;

import org.jspecify.annotations.Nullable;

/**
 * A number of a sequence could not be had.
 *
 * <p>The message says of which sequence, and why or how to mend it; the cause is what the source failed with, if it did. No
 * number was given to the caller; those that the source may have taken are lost and leave a gap.
 */
public class SequenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which sequence, what is wrong, and how to mend it
     */
    public SequenceException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message which sequence, and what is wrong
     * @param cause what the source failed with, or null if there is nothing to add
     */
    public SequenceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
