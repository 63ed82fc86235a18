package io.github.collapseexecutor.sequence;

import org.jspecify.annotations.Nullable;

/** There is no sequence of the name that a caller gave; the message says where it was looked for and how to create it. */
public final class UnknownSequenceException extends SequenceException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which name, where it was looked for, and how to create it
     */
    public UnknownSequenceException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message which name, where it was looked for, and how to create it
     * @param cause what the source failed with, or null if there is nothing to add
     */
    public UnknownSequenceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
