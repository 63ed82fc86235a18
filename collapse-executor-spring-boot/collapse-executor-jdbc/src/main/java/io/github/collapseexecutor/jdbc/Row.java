package io.github.collapseexecutor.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** One row on its way: its parameters, and what has to be kept of them for the next attempt. */
final class Row {

    /** Stays empty: most rows have nothing to copy. */
    private static final IdentityHashMap<Object, ParameterCopy> NONE = new IdentityHashMap<>(0);

    // immutable
    private final ParameterSetter setter;

    // mutable, confined to the thread that writes the row's batch
    /** Copies of the parameters that the setter gave when it was called last and that can be read once, by identity. */
    private IdentityHashMap<Object, ParameterCopy> copies = NONE;

    /** Those of the call before, while the setter is called. */
    private IdentityHashMap<Object, ParameterCopy> earlierCopies = NONE;

    private long size;

    Row(ParameterSetter setter) {
        this.setter = setter;
    }

    /**
     * Sets the parameters.
     *
     * @param statement the statement itself
     * @param copying the same, but it copies what can be read once
     * @throws SQLException what the setter throws, as all that it throws
     */
    void set(PreparedStatement statement, CopyingStatement copying) throws SQLException {
        if (setter instanceof ParameterValues values) {
            values.set(statement);
            size = values.size();
        } else {
            size = 0;
            earlierCopies = copies;
            copies = NONE;
            try {
                setter.set(copying.of(this));
            } catch (Throwable failure) { // before it has given all of them, perhaps
                earlierCopies.forEach(this::keep);
                throw failure;
            } finally {
                earlierCopies = NONE; // a setter that makes its parameters anew does not give these again
            }
        }
    }

    /** Sets the parameters of a row that was given as values, behind so many that are other rows'. */
    void setValues(PreparedStatement statement, int before) throws SQLException {
        if (setter instanceof ParameterValues values) {
            values.set(statement, before);
            size = values.size();
        }
    }

    /** How many values the row was given as; -1 if it has a setter of its own. */
    int numberOfValues() {
        return setter instanceof ParameterValues values ? values.number() : -1;
    }

    /** Whether NULL may become of a value: also of an empty text, in a mode of MariaDB's. */
    boolean mayHoldNull() {
        return !(setter instanceof ParameterValues values) || values.holds(null) || values.holds("");
    }

    /** About how many bytes it takes to send the row, if it was given as values; else 0. */
    long sizeOfValues() {
        return setter instanceof ParameterValues values ? values.size() : 0;
    }

    /** About how many bytes it takes to send the row, as far as its parameters have been set. */
    long size() {
        return size;
    }

    void add(long bytes) {
        size += bytes;
    }

    /** The value at a position, if the row was given as values. */
    @Nullable Object value(int position) {
        return setter instanceof ParameterValues values ? values.value(position) : null;
    }

    ParameterCopy copyOf(Object parameter) {
        ParameterCopy copy = copies.get(parameter);
        if (copy == null) {
            ParameterCopy earlier = earlierCopies.get(parameter);
            copy = earlier == null ? ParameterCopy.of(parameter) : earlier;
            keep(parameter, copy);
        }
        return copy;
    }

    private void keep(Object parameter, ParameterCopy copy) {
        if (copies.isEmpty()) {
            copies = new IdentityHashMap<>();
        }
        copies.put(parameter, copy);
    }
}
