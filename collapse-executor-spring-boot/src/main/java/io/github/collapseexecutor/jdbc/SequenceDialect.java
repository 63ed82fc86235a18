package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.sequence.SequenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The statements that take many numbers with one round trip, for each database. */
enum SequenceDialect {
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

    MYSQL('`', "", "UPDATE %1$s SET %2$s = LAST_INSERT_ID(%2$s + ?) WHERE %3$s = ? AND %2$s >= 0");

    // immutable
    final char quote;
    private final String sequenceStatement;
    private final String rowStatement;

    SequenceDialect(char quote, String sequenceStatement, String rowStatement) {
        this.quote = quote;
        this.sequenceStatement = sequenceStatement;
        this.rowStatement = rowStatement;
    }

    static SequenceDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> H2;
            case "postgresql" -> POSTGRESQL;
            case "mariadb" -> MARIADB;
            case "mysql" -> MYSQL;
            default ->
                throw new SequenceException(
                        "The database is '" + product + "', for which no statement is known: it must "
                                + "be H2, PostgreSQL, MariaDB or MySQL; for another one implement SequenceSource");
        };
    }

    boolean hasSequences() {
        return !sequenceStatement.isEmpty();
    }

    /** A query of as many numbers of a sequence as its parameter says, in the order in which they were taken. */
    String sequenceStatement(String sequence) {
        return String.format(Locale.ROOT, sequenceStatement, sequence);
    }

    /** A statement that adds its first parameter to the row that its second one names, and tells what the sum is. */
    String rowStatement(String table, String numberColumn, String nameColumn) {
        return String.format(Locale.ROOT, rowStatement, table, numberColumn, nameColumn);
    }

    /** Whether, above READ COMMITTED, one of two transactions that add to one row is refused instead of waiting. */
    boolean refusesAtHighIsolation() {
        return this == H2 || this == POSTGRESQL;
    }

    /** Whether the new number of a row comes as the generated key of the update, else as the result of a query. */
    boolean returnsRowAsGeneratedKey() {
        return this == MARIADB || this == MYSQL;
    }
}
