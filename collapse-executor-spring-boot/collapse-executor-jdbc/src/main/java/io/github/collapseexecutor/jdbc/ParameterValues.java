package io.github.collapseexecutor.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sets given values by position; those that can be read once were copied. Immutable, as far as the values are. */
final class ParameterValues implements ParameterSetter {

    private static final int SIZE_OF_A_NUMBER = 16;

    // immutable
    private final @Nullable Object[] values;
    private final long size;

    /** @throws IllegalArgumentException if a value that can be read once cannot be copied */
    ParameterValues(@Nullable Object[] given) {
        @Nullable Object[] copies = given.clone();
        long bytes = 0;
        for (int index = 0; index < copies.length; index++) {
            Object value = copies[index];
            if (ParameterCopy.isNeededOf(value)) {
                copies[index] = ParameterCopy.of(value);
            }
            bytes += sizeOf(copies[index]);
        }
        this.values = copies;
        this.size = bytes;
    }

    /** About how many bytes it takes to send a value. */
    static long sizeOf(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length;
        }
        if (value instanceof CharSequence text) {
            return 2L * text.length();
        }
        return value instanceof ParameterCopy copy ? copy.size() : SIZE_OF_A_NUMBER;
    }

    /** About how many bytes it takes to send the row. */
    long size() {
        return size;
    }

    /** The value at a position, which starts with 1 as JDBC's do; null if there is none. */
    @Nullable Object value(int position) {
        return position <= values.length ? values[position - 1] : null;
    }

    boolean holds(@Nullable Object value) {
        return Arrays.asList(values).contains(value);
    }

    int number() {
        return values.length;
    }

    @Override
    public void set(PreparedStatement statement) throws SQLException {
        set(statement, 0);
    }

    /** Sets the values behind so many parameters that are others'. */
    void set(PreparedStatement statement, int before) throws SQLException {
        for (int index = 0; index < values.length; index++) {
            int position = before + index + 1;
            if (values[index] instanceof ParameterCopy copy) {
                copy.set(statement, position);
            } else {
                statement.setObject(position, values[index]);
            }
        }
    }
}
