package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch as one statement of PostgreSQL that is its own commit. It fails, and so writes nothing, unless it has written each row: nobody could take
 * back afterwards what is too few.
 */
final class StatementCommit {

    // immutable
    private final OneStatement all;
    private final int rows;

    private StatementCommit(OneStatement all, int rows) {
        this.all = all;
        this.rows = rows;
    }

    /** The statement for all rows of a batch; null if there is none, or if it may not be its own commit. */
    static @Nullable StatementCommit of(RowStatement statement, LearnedStatement learned, List<Row> rows) {
        MultiRowInsert insert = learned.multiRowInsert();
        if (insert == null
                || !learned.mayCommitInStatement()
                || !statement.generatedKeys().isEmpty()
                || rows.size() > ArrayInsert.ROWS_AT_MOST
                || !rows.stream().allMatch(insert::takes)
                || rows.stream().mapToLong(Row::sizeOfValues).sum() > RowTransaction.BYTES_TOGETHER) {
            return null;
        }
        ArrayInsert arrays = learned.arrayInsert();
        OneStatement all = arrays == null ? null : arrays.with(rows);
        if (all == null && rows.size() <= insert.rowsAtMost()) {
            all = insert.with(rows);
        }
        return all == null ? null : new StatementCommit(all, rows.size());
    }

    /** Prepares the statement and sets its parameters; nothing is sent. */
    PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(
                "WITH written AS (" + all.sql() + " RETURNING 1) SELECT 1 / (count(*) = ?)::int FROM written");
        all.set(connection, prepared);
        prepared.setLong(all.parameters() + 1, rows);
        return prepared;
    }
}
