package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;

/**
 * A record was written, but whether it is durable is not known: it may or may not be in the log when that is opened again.
 *
 * <p>Any other failure of an append says that the record is not in the log.
 */
public final class UncertainAppendException extends IOException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the failure.
     *
     * @param message what is not known, why, and what to do
     */
    public UncertainAppendException(String message) {
        super(message);
    }

    UncertainAppendException(String message, Throwable cause) {
        super(message, cause);
    }
}
