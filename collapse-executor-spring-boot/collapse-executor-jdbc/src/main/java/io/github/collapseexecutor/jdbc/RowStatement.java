package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that writes a row, and which generated columns its caller wants back; immutable.
 *
 * <pre>{@code
 * RowStatement insert = RowStatement.of("INSERT INTO note (text) VALUES (?)").generatedKeys("id");
 * }</pre>
 *
 * <p>Rows of equal statements share a batch. The statement is to be one INSERT, UPDATE, DELETE or MERGE. One that returns
 * rows, by RETURNING or as a CALL does, gives them to its caller ({@link RowOutcome#returnedRows()}). One that commits
 * by itself (DDL on MariaDB and MySQL) voids every promise. Rows of a table without transactions (MyISAM) are written one by one.
 */
public final class RowStatement {

    // immutable
    private final String sql;
    private final List<String> generatedKeys;
    private final List<Integer> lockOrder;

    private RowStatement(String sql, List<String> generatedKeys, List<Integer> lockOrder) {
        this.sql = sql;
        this.generatedKeys = generatedKeys;
        this.lockOrder = lockOrder;
    }

    /**
     * Takes a statement.
     *
     * @param sql one statement with JDBC's {@code ?} for parameters, not blank
     * @return the statement, without generated keys
     * @throws IllegalArgumentException if it is blank
     */
    public static RowStatement of(String sql) {
        if (requireNonNull(sql, "sql").isBlank()) {
            throw new IllegalArgumentException("sql is blank: give the statement that writes a row");
        }
        return new RowStatement(sql, List.of(), List.of());
    }

    /**
     * Asks for generated columns.
     *
     * @param columns their names, at least one. PostgreSQL and H2 return these; MariaDB and MySQL return the
     *     AUTO_INCREMENT column, whatever its name
     * @return a statement whose {@linkplain RowOutcome#generatedKeys() outcomes hold} them
     * @throws IllegalArgumentException if there is none
     */
    public RowStatement generatedKeys(String... columns) {
        if (columns.length == 0) {
            throw new IllegalArgumentException("columns is empty: name the generated columns, for example \"id\"");
        }
        return new RowStatement(sql, List.of(columns), lockOrder);
    }

    /**
     * Names the parameters that say which row of the table is locked, as those of an UPDATE's condition do. The rows of a
     * batch are then written in the order of these values, which is the same in every process, so that two processes do not
     * run into deadlocks. Rows with equal values stay in order of submission. The values of a parameter are to be of one type; whole
     * numbers of several types count by their value.
     *
     * <pre>{@code
     * RowStatement update = RowStatement.of("UPDATE account SET state = ? WHERE id = ?").lockOrder(2);
     * }</pre>
     *
     * @param parameters their positions, the first parameter being 1; at least one. Values are seen that are given as values,
     *     not those that a {@link ParameterSetter} of the caller's own sets
     * @return a statement whose rows are written in that order
     * @throws IllegalArgumentException if there is none, or one below 1
     */
    public RowStatement lockOrder(int... parameters) {
        if (parameters.length == 0) {
            throw new IllegalArgumentException(
                    "parameters is empty: give the positions of those in the statement's condition, for example 2");
        }
        List<Integer> positions = Arrays.stream(parameters).boxed().toList();
        for (int position : positions) {
            if (position < 1) {
                throw new IllegalArgumentException(
                        "parameters holds " + position + ": positions start with 1, as those of JDBC do");
            }
        }
        return new RowStatement(sql, generatedKeys, positions);
    }

    /**
     * Returns the SQL.
     *
     * @return as it was given
     */
    public String sql() {
        return sql;
    }

    /**
     * Returns the generated columns that are asked for.
     *
     * @return their names; empty for none
     */
    public List<String> generatedKeys() {
        return generatedKeys;
    }

    /** The parameters in whose order the rows of a batch are written; empty for the order of submission. */
    List<Integer> lockParameters() {
        return lockOrder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RowStatement that
                && sql.equals(that.sql)
                && generatedKeys.equals(that.generatedKeys)
                && lockOrder.equals(that.lockOrder);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * sql.hashCode() + generatedKeys.hashCode()) + lockOrder.hashCode();
    }

    /** Returns the SQL, which holds no values where parameters do. */
    @Override
    public String toString() {
        return sql;
    }
}
