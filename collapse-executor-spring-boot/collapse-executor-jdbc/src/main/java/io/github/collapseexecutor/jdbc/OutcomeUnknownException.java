package io.github.collapseexecutor.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The write may or may not have been committed, and nobody can say which without looking into the database.
 *
 * <p>Thrown if the connection was lost, or the caller left, after the commit may have been sent and before its answer was
 * there. It is no {@link java.sql.SQLException}, so that code which tries again after one does not double a row: to try
 * again, look whether the row is there, or give it a key of your own that the database keeps unique.
 */
public final class OutcomeUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutcomeUnknownException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The same for another caller, who may add to its own. */
    OutcomeUnknownException forAnotherCaller() {
        return new OutcomeUnknownException(getMessage(), getCause());
    }
}
