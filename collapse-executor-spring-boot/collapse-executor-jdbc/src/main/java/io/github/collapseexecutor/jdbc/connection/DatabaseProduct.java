package io.github.collapseexecutor.jdbc.connection;

import io.github.collapseexecutor.sequence.SequenceException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * In what databases differ from one another: how they commit, and which statements take many numbers with one round trip.
 * Public for other packages of the library only.
 */
public enum DatabaseProduct {
    H2(
            '"',
            "SELECT NEXT VALUE FOR %s FROM SYSTEM_RANGE(1, ?)",
            "SELECT %2$s FROM FINAL TABLE (UPDATE %1$s SET %2$s = %2$s + ? WHERE %3$s = ?)"),

    POSTGRESQL(
            '"',
            "SELECT nextval('%s') FROM generate_series(1, ?)",
            "UPDATE %1$s SET %2$s = %2$s + ? WHERE %3$s = ? RETURNING %2$s"),

    /** {@code seq_1_to_…} is a table that the server makes up; the range on its column ends the scan. */
    MARIADB(
            '`',
            "SELECT NEXT VALUE FOR %s FROM seq_1_to_2147483647 WHERE seq <= ?",
            "UPDATE %1$s SET %2$s = LAST_INSERT_ID(%2$s + ?) WHERE %3$s = ? AND %2$s >= 0"),

    MYSQL('`', "", "UPDATE %1$s SET %2$s = LAST_INSERT_ID(%2$s + ?) WHERE %3$s = ? AND %2$s >= 0"),

    /** One of which nothing is known: it is treated as JDBC says, and has no numbers. */
    OTHER('"', "", "");

    // immutable
    public final char quote;

    private final String sequenceStatement;
    private final String rowStatement;

    DatabaseProduct(char quote, String sequenceStatement, String rowStatement) {
        this.quote = quote;
        this.sequenceStatement = sequenceStatement;
        this.rowStatement = rowStatement;
    }

    public static DatabaseProduct of(Connection connection) throws SQLException {
        return switch (name(connection).toLowerCase(Locale.ROOT)) {
            case "h2" -> H2;
            case "postgresql" -> POSTGRESQL;
            case "mariadb" -> MARIADB;
            case "mysql" -> MYSQL;
            default -> OTHER;
        };
    }

    /**
     * The product, if it has numbers.
     *
     * @throws SequenceException if no statement is known that takes them
     */
    public static DatabaseProduct withNumbers(Connection connection) throws SQLException {
        DatabaseProduct product = of(connection);
        if (product == OTHER) {
            throw new SequenceException("The database is '" + name(connection)
                    + "', for which no statement is known: it must "
                    + "be H2, PostgreSQL, MariaDB or MySQL; for another one implement SequenceSource");
        }
        return product;
    }

    private static String name(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName();
    }

    public boolean hasSequences() {
        return !sequenceStatement.isEmpty();
    }

    /** A query of as many numbers of a sequence as its parameter says, in the order in which they were taken. */
    public String sequenceStatement(String sequence) {
        return String.format(Locale.ROOT, sequenceStatement, sequence);
    }

    /** A statement that adds its first parameter to the row that its second one names, and tells what the sum is. */
    public String rowStatement(String table, String numberColumn, String nameColumn) {
        return String.format(Locale.ROOT, rowStatement, table, numberColumn, nameColumn);
    }

    /** Whether, above READ COMMITTED, one of two transactions that add to one row is refused instead of waiting. */
    public boolean refusesAtHighIsolation() {
        return this == H2 || this == POSTGRESQL;
    }

    /** Whether the isolation of one transaction can be set, apart from that of its session. */
    public boolean hasIsolationOfOneTransaction() {
        return this == POSTGRESQL;
    }

    /** Whether the new number of a row comes as the generated key of the update, else as the result of a query. */
    public boolean returnsRowAsGeneratedKey() {
        return this == MARIADB || this == MYSQL;
    }

    /**
     * Whether it answers a commit with an error only if that has been rolled back. MariaDB and MySQL also report errors of the log
     * that they commit into, after which anything may be.
     */
    boolean failsCommitsOnlyUndone() {
        return this == POSTGRESQL;
    }

    /**
     * Whether it executes the rows of a batch one by one, so that one statement of many rows pays, and whether triggers and defaults see the rows of
     * one statement otherwise than those of several.
     */
    public boolean showsRowsOfOneStatementLate() {
        return this == POSTGRESQL;
    }

    /** Whether some of its tables have no transactions, so that nothing takes back what a statement has written to them. */
    public boolean hasTablesWithoutTransactions() {
        return this == MARIADB || this == MYSQL;
    }

    /** Whether a connection that is set to be read-only takes a statement that commits by itself, where it refuses a transaction: its driver says so to transactions only. */
    public boolean refusesOnlyTransactions() {
        return this == POSTGRESQL;
    }

    /**
     * Whether one statement of many rows stores 0 or an empty text for NULL in a column that must have a value, where a statement of one row is
     * refused: MariaDB and MySQL do so in no strict mode. The mode is the session's, and may differ from one connection of a pool to the next.
     */
    public boolean storesNullOtherwise(Connection connection) throws SQLException {
        if (this != MARIADB && this != MYSQL) {
            return false;
        }
        try (Statement look = connection.createStatement();
                ResultSet answer = look.executeQuery("SELECT @@sql_mode LIKE '%STRICT%'")) {
            return !answer.next() || !answer.getBoolean(1);
        }
    }

    /** Whether its driver may make one statement out of the texts of a batch, and then tells no counts. */
    public boolean rewritesBatches() {
        return this == MYSQL;
    }

    /** Whether its driver merges the rows of a batch because the statement starts with INSERT, whatever keys are asked for. */
    public boolean mergesByFirstWord() {
        return this == POSTGRESQL;
    }
}
