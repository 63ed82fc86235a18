package io.github.collapseexecutor.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Sets the parameters of one row on the statement that writes it.
 *
 * <p>It is called on a thread of the writer's, not on the caller's, and again for each further attempt (a batch that
 * failed is taken apart, a deadlock tries again): it has to set the same values each time, and must not execute or close
 * the statement, use its connection or wait for another write. A parameter that it leaves out is not taken over from
 * another row: the row fails. If it throws, its own caller gets the exception.
 *
 * <p>A parameter that may be read once only ({@link java.io.InputStream}, {@link java.io.Reader}, {@link java.sql.Blob}, {@link
 * java.sql.Clob}, {@link java.sql.SQLXML}) is refused: its row fails with an {@link IllegalArgumentException} and is not written. Set its content as
 * {@code byte[]} or {@code String}.
 */
@FunctionalInterface
public interface ParameterSetter {

    /**
     * Sets the parameters.
     *
     * @param statement the statement, with no parameter set
     * @throws SQLException if a parameter cannot be set
     */
    void set(PreparedStatement statement) throws SQLException;

    /**
     * Sets the given values by position.
     *
     * @param values a value for each parameter, in order; null is SQL's NULL. The array is copied, the values are not
     * @return a setter that calls {@link PreparedStatement#setObject(int, Object)} for each
     * @throws IllegalArgumentException if a value may be read once only, as a stream
     */
    static ParameterSetter of(@Nullable Object... values) {
        return new ParameterValues(values);
    }
}
