package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.jdbc.sequence.SequenceConnections;
import io.github.collapseexecutor.jdbc.sequence.SequenceName;
import io.github.collapseexecutor.sequence.SequenceException;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.UnknownSequenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Sequences that are rows of a table, in which one statement takes the numbers of all callers.
 *
 * <pre>{@code
 * // CREATE TABLE id_sequence (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL);
 * // INSERT INTO id_sequence VALUES ('order_id', 0);
 * Sequences sequences = Sequences.of(new SequenceTable(dataSource, "id_sequence", "name", "last_number"));
 * long id = sequences.next("order_id");
 * }</pre>
 *
 * <p>For H2, PostgreSQL, MariaDB and MySQL. A row holds the last number that was given: the next one is greater by one. It
 * is changed and committed by itself before a caller sees a number, so that the database's durability is that of the
 * sequence. A number beyond what the column holds fails the batch with what the database says.
 *
 * <p><b>Failures and threads</b> are those of {@link DatabaseSequences}. Each call takes one round trip, or two where the data source gives
 * connections that do not commit by themselves.
 */
public final class SequenceTable implements SequenceSource {

    // immutable
    private final SequenceConnections connections;
    private final String table;
    private final String nameColumn;
    private final String numberColumn;

    /**
     * Creates the source.
     *
     * @param dataSource the database; best a pool of its own, with one connection for each sequence
     * @param table the table, as in SQL
     * @param nameColumn the column that holds the name of a sequence, its values unique
     * @param numberColumn the column that holds the last number given, a {@code BIGINT}; not negative on MariaDB and MySQL
     */
    public SequenceTable(DataSource dataSource, String table, String nameColumn, String numberColumn) {
        connections = new SequenceConnections(dataSource);
        this.table = requireNonNull(table, "table");
        this.nameColumn = requireNonNull(nameColumn, "nameColumn");
        this.numberColumn = requireNonNull(numberColumn, "numberColumn");
    }

    @Override
    public DataSource dataSource() {
        return connections.dataSource();
    }

    @Override
    public long[] take(String name, int count) throws SQLException, InterruptedException {
        return connections.run(
                (connection, product) -> SequenceSource.endingAt(add(connection, product, name, count), count));
    }

    private long add(Connection connection, DatabaseProduct product, String name, int count) throws SQLException {
        String sql = product.rowStatement(
                SequenceName.checked("table", table, product.quote),
                SequenceName.checked("numberColumn", numberColumn, product.quote),
                SequenceName.checked("nameColumn", nameColumn, product.quote));
        if (product.returnsRowAsGeneratedKey()) {
            try (PreparedStatement statement = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
                bind(statement, name, count);
                int rows = statement.executeUpdate();
                if (rows == 0) {
                    throw unknown(name);
                }
                if (rows > 1) {
                    throw ambiguous(name);
                }
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    return onlyNumber(keys, name);
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, name, count);
            try (ResultSet rows = statement.executeQuery()) {
                return onlyNumber(rows, name);
            }
        }
    }

    private static void bind(PreparedStatement statement, String name, int count) throws SQLException {
        statement.setLong(1, count);
        statement.setString(2, name);
    }

    private long onlyNumber(ResultSet rows, String name) throws SQLException {
        if (!rows.next()) {
            throw unknown(name);
        }
        long number = rows.getLong(1);
        if (rows.wasNull()) {
            throw unknown(name);
        }
        if (rows.next()) {
            throw ambiguous(name);
        }
        return number;
    }

    private UnknownSequenceException unknown(String name) {
        return new UnknownSequenceException("Table " + table + " has no row whose " + nameColumn + " is '" + name
                + "' and whose " + numberColumn + " is a number, 0 or more: INSERT INTO " + table + " (" + nameColumn
                + ", " + numberColumn + ") VALUES ('" + name + "', 0)");
    }

    private SequenceException ambiguous(String name) {
        return new SequenceException("Table " + table + " has several rows whose " + nameColumn + " is '" + name
                + "': make the column the primary key");
    }
}
