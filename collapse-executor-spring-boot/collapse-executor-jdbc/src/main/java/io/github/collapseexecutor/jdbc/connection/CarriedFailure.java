package io.github.collapseexecutor.jdbc.connection;

import static java.util.Objects.requireNonNull;

import java.sql.SQLException;

/** A failure of another thread, as a future hands it to the caller. Public for other packages of the library only. */
public final class CarriedFailure {

    private CarriedFailure() {}

    /**
     * Throws it as it was.
     *
     * @param carrier what the future threw
     * @return never
     */
    public static RuntimeException rethrow(Exception carrier) throws SQLException {
        Throwable failure = requireNonNull(carrier.getCause());
        if (failure instanceof SQLException sql) {
            throw sql;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        // A parameter setter that throws what it does not declare.
        throw new IllegalStateException(failure);
    }
}
