package io.github.collapseexecutor.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One row on its way: its parameters, and how much they take to send. */
final class Row {

    // immutable
    private final ParameterSetter setter;

    // mutable, confined to the thread that writes the row's batch
    private long size;

    Row(ParameterSetter setter) {
        this.setter = setter;
    }

    /**
     * Sets the parameters.
     *
     * @param statement the statement itself
     * @param ofSetters the same, as setters of the user's see it
     * @throws SQLException what the setter throws, as all that it throws
     */
    void set(PreparedStatement statement, SetterStatement ofSetters) throws SQLException {
        if (setter instanceof ParameterValues values) {
            values.set(statement);
            size = values.size();
        } else {
            size = 0;
            setter.set(ofSetters.of(this));
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
}
