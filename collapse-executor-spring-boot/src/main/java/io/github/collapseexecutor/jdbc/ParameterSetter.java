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
 * another row: the row fails. What it throws, its own caller gets.
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
     */
    static ParameterSetter of(@Nullable Object... values) {
        @Nullable Object[] copy = values.clone();
        return statement -> {
            for (int index = 0; index < copy.length; index++) {
                statement.setObject(index + 1, copy[index]);
            }
        };
    }
}
