package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that writes a row, and which generated columns its caller wants back; immutable.
 *
 * <pre>{@code
 * RowStatement insert = RowStatement.of("INSERT INTO note (text) VALUES (?)").generatedKeys("id");
 * }</pre>
 *
 * <p>Rows of equal statements share a batch. The statement is to be one INSERT, UPDATE, DELETE or MERGE; one that commits
 * by itself (DDL on MariaDB and MySQL) or writes to a table without transactions (MyISAM) voids every promise.
 */
public final class RowStatement {

    /** An INSERT of one VALUES row that either writes exactly this row or fails. */
    private static final Pattern SINGLE_INSERT =
            Pattern.compile("(?is)\\s*INSERT\\s+INTO\\b.*\\bVALUES\\s*\\(.*\\)[\\s;]*");

    private static final Pattern MAY_WRITE_ANOTHER_NUMBER =
            Pattern.compile("(?i)\\b(?:IGNORE|DUPLICATE|CONFLICT|SELECT|RETURNING)\\b|\\)\\s*,\\s*\\(");

    // immutable
    private final String sql;
    private final List<String> generatedKeys;
    private final boolean singleInsert;

    private RowStatement(String sql, List<String> generatedKeys) {
        this.sql = sql;
        this.generatedKeys = generatedKeys;
        this.singleInsert = SINGLE_INSERT.matcher(sql).matches()
                && !MAY_WRITE_ANOTHER_NUMBER.matcher(sql).find();
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
        return new RowStatement(sql, List.of());
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
        return new RowStatement(sql, List.of(columns));
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

    /** Whether success means one row, also where the driver gives no count. */
    boolean writesExactlyOneRow() {
        return singleInsert;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RowStatement that && sql.equals(that.sql) && generatedKeys.equals(that.generatedKeys);
    }

    @Override
    public int hashCode() {
        return 31 * sql.hashCode() + generatedKeys.hashCode();
    }

    /** Returns the SQL, which holds no values where parameters do. */
    @Override
    public String toString() {
        return sql;
    }
}
