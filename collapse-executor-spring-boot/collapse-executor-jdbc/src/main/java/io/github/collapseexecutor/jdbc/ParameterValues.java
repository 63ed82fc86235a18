package io.github.collapseexecutor.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sets given values by position. Immutable, as far as the values are. */
final class ParameterValues implements ParameterSetter {

    private static final int SIZE_OF_A_NUMBER = 16;

    // immutable
    private final @Nullable Object[] values;
    private final long size;

    /** @throws IllegalArgumentException if a value can be read once */
    ParameterValues(@Nullable Object[] given) {
        values = given.clone();
        long bytes = 0;
        for (int index = 0; index < values.length; index++) {
            bytes += sizeOf(repeatable(index + 1, values[index]));
        }
        this.size = bytes;
    }

    /**
     * Returns a value that can be sent several times, because a batch may be executed again.
     *
     * @param position where it stands, for the failure
     * @throws IllegalArgumentException if it can be read once, or only while its connection is open
     */
    static @Nullable Object repeatable(@Nullable Object position, @Nullable Object value) {
        if (value instanceof InputStream
                || value instanceof Reader
                || value instanceof Blob
                || value instanceof Clob
                || value instanceof SQLXML) {
            throw new IllegalArgumentException(
                    "Parameter " + position + " is a " + value.getClass().getName()
                            + ", which may be read once only, and a row may be sent several times: give its content as byte[] or String");
        }
        return value;
    }

    /** About how many bytes it takes to send a value. */
    static long sizeOf(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length;
        }
        if (value instanceof CharSequence text) {
            return 2L * text.length();
        }
        return SIZE_OF_A_NUMBER;
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
            statement.setObject(before + index + 1, values[index]);
        }
    }
}
