package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.jdbc.connection.Tried;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch as one statement that is its own commit. On PostgreSQL it fails, and so writes nothing, unless it has written each row: nobody could take
 * back afterwards what is too few. MariaDB and MySQL have no such statement; there, nobody knows of any row if too few are written.
 */
record StatementCommit(OneStatement all, int rows, boolean checksItself) {

    /** The statement for all rows of a batch; null if there is none, or if it may not be its own commit. */
    static @Nullable StatementCommit of(
            Connection connection, RowStatement statement, LearnedStatement learned, List<Row> rows)
            throws SQLException {
        MultiRowInsert insert = learned.committingInsert();
        if (insert == null
                || !statement.generatedKeys().isEmpty()
                || rows.size() > ArrayInsert.ROWS_AT_MOST
                || !rows.stream().allMatch(insert::takes)
                || rows.stream().mapToLong(Row::sizeOfValues).sum() > RowTransaction.BYTES_TOGETHER) {
            return null;
        }
        DatabaseProduct product = learned.database(connection).product();
        if (learned.mayWriteNull(rows) && product.storesNullOtherwise(connection)) {
            return null;
        }
        ArrayInsert arrays = learned.arrayInsert();
        OneStatement all = arrays == null ? null : arrays.with(rows);
        if (all == null && rows.size() <= insert.rowsAtMost()) {
            all = insert.with(rows);
        }
        return all == null ? null : new StatementCommit(all, rows.size(), product == DatabaseProduct.POSTGRESQL);
    }

    String sql() {
        return checksItself
                ? "WITH written AS (" + all.sql() + " RETURNING 1) SELECT 1 / (count(*) = ?)::int FROM written"
                : all.sql();
    }

    /** Sets the parameters; false if one of a row cannot be set, whose failure comes again when the row is set by itself. Nothing is sent. */
    boolean set(Connection connection, PreparedStatement prepared) {
        return Tried.done(() -> {
            all.set(connection, prepared);
            if (checksItself) {
                prepared.setLong(all.parameters() + 1, rows);
            }
        });
    }

    /** Executes the statement; false if it has not written each row. */
    boolean execute(PreparedStatement prepared) throws SQLException {
        return prepared.execute() || prepared.getUpdateCount() == rows;
    }
}
