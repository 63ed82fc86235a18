package io.github.collapseexecutor.jdbc;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of one caller's row, which is committed; immutable. */
public final class RowOutcome {

    private static final RowOutcome ONE_ROW = new RowOutcome(1, List.of(), List.of());

    // immutable
    private final int updateCount;
    private final List<@Nullable Object> generatedKeys;
    private final List<List<@Nullable Object>> returnedRows;

    RowOutcome(int updateCount, List<@Nullable Object> generatedKeys, List<List<@Nullable Object>> returnedRows) {
        this.updateCount = updateCount;
        this.generatedKeys = Collections.unmodifiableList(generatedKeys);
        this.returnedRows =
                returnedRows.stream().map(Collections::unmodifiableList).toList();
    }

    /** The outcome of a statement that returned nothing but its count. */
    static RowOutcome ofCount(int updateCount) {
        return updateCount == 1 ? ONE_ROW : new RowOutcome(updateCount, List.of(), List.of());
    }

    /**
     * Returns how many rows of the table the statement changed, for this caller alone.
     *
     * @return the database's count, as {@link java.sql.PreparedStatement#executeUpdate()} returns it; 0 if the statement's
     *     condition held for none. If the statement returned rows instead of a count, the number of these
     */
    public int updateCount() {
        return updateCount;
    }

    /**
     * Returns the generated columns that {@link RowStatement#generatedKeys(String...)} asked for.
     *
     * @return the values in the order of the columns; empty if none were asked for, or if the statement wrote no row
     */
    public List<@Nullable Object> generatedKeys() {
        return generatedKeys;
    }

    /**
     * Returns the rows that the statement itself returned, by RETURNING or as a SELECT or CALL does.
     *
     * @return the values of each row in the order of its columns; LOBs as {@code byte[]} or {@code String}, arrays as Java
     *     arrays. Empty if it returned none
     */
    public List<List<@Nullable Object>> returnedRows() {
        return returnedRows;
    }

    /**
     * Returns the first generated column as a number.
     *
     * @return its value
     * @throws IllegalStateException if there is none, or if it is not a number
     */
    public long generatedKey() {
        if (generatedKeys.isEmpty()) {
            throw new IllegalStateException("There is no generated key: name its column with RowStatement.generatedKeys"
                    + (updateCount == 0 ? "; and the statement wrote no row" : ""));
        }
        if (generatedKeys.get(0) instanceof Number number) {
            return number.longValue();
        }
        throw new IllegalStateException("The generated key is not a number: read it with generatedKeys()");
    }
}
