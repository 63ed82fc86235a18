package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.connection.ConnectedDatabase;
import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.jdbc.connection.FailureKind;
import io.github.collapseexecutor.jdbc.connection.Tried;
import io.github.collapseexecutor.jdbc.sql.InsertTarget;
import io.github.collapseexecutor.jdbc.sql.StatementText;
import io.github.collapseexecutor.jdbc.sql.WrittenTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a writer knows of a statement: from its text, and from how the database and its driver answered it. So the next batch does not pay again for
 * the same knowledge.
 */
final class LearnedStatement {

    /** How the rows of a batch are executed so that each row's answer is told from the others'. */
    enum Execution {
        /** As one batch, of which the driver makes what it likes: fewer statements, one command. */
        MERGED,
        /** As one batch of which the driver is kept from making fewer statements, because it loses the counts then. */
        UNMERGED,
        /** Row by row, in one transaction. */
        SINGLE;

        Execution next() {
            return this == MERGED ? UNMERGED : SINGLE;
        }
    }

    private static final int STATEMENTS_AT_MOST = 256;

    /** How long the catalogue's answer holds: nobody tells a client of a trigger that is created meanwhile. */
    private static final long CATALOGUE_HOLDS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * What the catalogue of PostgreSQL said, and when.
     *
     * @param defers whether a constraint may be looked at in the commit
     */
    private record Look(InsertTarget target, @Nullable ArrayInsert arrays, boolean defers, long at) {}

    /** What that of MariaDB or MySQL said. */
    private record TablesSeen(WrittenTables tables, long at) {}

    // immutable
    private final String sql;
    private final boolean writesExactlyOneRow;
    private final boolean mayReturnRows;
    private final boolean isInsert;
    private final boolean commitInStatement;
    private final @Nullable String table;

    // mutable, by any writer: each is a hint for the next batch, so that none needs the newest value
    private volatile @Nullable ConnectedDatabase database;
    private volatile @Nullable MultiRowInsert multiRowInsert;
    private volatile @Nullable Look look;
    private volatile @Nullable TablesSeen seen;
    private volatile Execution execution;
    private volatile boolean failsThroughout;

    /**
     * Knows what the text says.
     *
     * @param multiRowInserts whether many rows may be one statement, if the table allows it
     * @param commitInStatement whether such a statement may be its own commit
     */
    LearnedStatement(String sql, boolean multiRowInserts, boolean commitInStatement) {
        this.sql = sql;
        this.commitInStatement = commitInStatement;
        writesExactlyOneRow = StatementText.writesExactlyOneRow(sql);
        mayReturnRows = StatementText.mayReturnRows(sql);
        isInsert = StatementText.isInsert(sql);
        table = StatementText.tableOfInsert(sql);
        multiRowInsert = multiRowInserts ? MultiRowInsert.of(sql) : null;
        execution = mayReturnRows ? Execution.SINGLE : Execution.MERGED;
    }

    /** What a writer learns, by statement: of the statements that were used last. */
    static Map<RowStatement, LearnedStatement> memory() {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<RowStatement, LearnedStatement> eldest) {
                return size() > STATEMENTS_AT_MOST;
            }
        });
    }

    /** Whether success means one row, also where the driver gives no count. */
    boolean writesExactlyOneRow() {
        return writesExactlyOneRow;
    }

    /** Whether rows may come back that have to be read before the commit. */
    boolean mayReturnRows() {
        return mayReturnRows;
    }

    /** The database, which is that of each connection. */
    ConnectedDatabase database(Connection connection) throws SQLException {
        ConnectedDatabase known = database;
        if (known == null) {
            known = ConnectedDatabase.of(connection);
            database = known;
        }
        return known;
    }

    /** Prepares a form for many rows; null if a part that reads statements, such as a firewall, does not understand it: then no other is tried. */
    @Nullable PreparedStatement prepareManyRows(Connection connection, String form) throws SQLException {
        try {
            return connection.prepareStatement(form);
        } catch (SQLException | RuntimeException notUnderstood) {
            if (FailureKind.of(notUnderstood) != FailureKind.STATEMENT) {
                throw notUnderstood;
            }
            multiRowInsert = null;
            return null;
        }
    }

    /**
     * Looks at the tables of the statement, if what is known is too old. PostgreSQL shows the rows of one statement otherwise than those of several:
     * many rows for a table that can tell are not made one statement, neither here nor by the driver. Tables of MariaDB and MySQL may have no
     * transactions, so that a batch could not be taken back.
     *
     * @param rows how many are to be written
     * @param now in nanoseconds
     */
    void lookAtTables(Connection connection, int rows, long now) throws SQLException {
        DatabaseProduct product = database(connection).product();
        if (product.hasTablesWithoutTransactions()) {
            TablesSeen known = seen;
            if (known == null || now - known.at() >= CATALOGUE_HOLDS_NANOS) {
                seen = new TablesSeen(WrittenTables.of(connection, sql), now);
            }
            return;
        }
        Look known = look;
        boolean isNew = known != null && now - known.at() < CATALOGUE_HOLDS_NANOS;
        if (rows > 1 && !isNew && product.showsRowsOfOneStatementLate()) {
            InsertTarget.Table found = InsertTarget.of(connection, isInsert && table != null ? table : "");
            MultiRowInsert insert = multiRowInsert;
            ArrayInsert arrays = insert == null ? null : ArrayInsert.of(insert, found.columns());
            look = new Look(found.target(), arrays, found.defers(), now);
        }
    }

    /** Whether a constraint may be looked at in the commit, as far as is known. */
    boolean defersConstraints() {
        Look known = look;
        return known != null && known.defers();
    }

    /** Whether the statement can be taken back, as far as is known. */
    boolean hasTransactions() {
        TablesSeen known = seen;
        return known == null || known.tables().haveTransactions();
    }

    /** Whether nothing is left of a statement that failed; false if that cannot be seen. */
    boolean isTakenBack(Connection connection) {
        return Tried.answer(
                () -> {
                    lookAtTables(connection, 1, System.nanoTime());
                    return hasTransactions();
                },
                false);
    }

    /** Whether a row may give NULL to a column, itself or by a trigger, as far as is known. */
    boolean mayWriteNull(List<Row> rows) {
        TablesSeen known = seen;
        MultiRowInsert insert = multiRowInsert;
        return known == null
                || known.tables().haveTriggers()
                || insert == null
                || insert.holdsNull()
                || rows.stream().anyMatch(Row::mayHoldNull);
    }

    /** Notes that rows failed together, perhaps because of what was done to the table: the next batch looks again. */
    void failedTogether() {
        Look known = look;
        look = known == null
                ? null
                : new Look(known.target(), known.arrays(), known.defers(), known.at() - CATALOGUE_HOLDS_NANOS);
    }

    /** The form for many rows; null if there is none, or it did not write each of its rows, or the table does not take it. */
    @Nullable MultiRowInsert multiRowInsert() {
        Look known = look;
        return known != null && known.target().takesManyRows() ? multiRowInsert : null;
    }

    /** The form for arrays; null if the types of the columns leave none. It takes rows that {@link #multiRowInsert()} takes. */
    @Nullable ArrayInsert arrayInsert() {
        Look known = look;
        return known == null ? null : known.arrays();
    }

    /** The form for many rows that may be its own commit, as far as is known: nothing leaves rows out; null if there is none. */
    @Nullable MultiRowInsert committingInsert() {
        Look known = look;
        boolean mayCommit = known == null ? seen != null && hasTransactions() : known.target() == InsertTarget.PLAIN;
        return commitInStatement && mayCommit ? multiRowInsert : null;
    }

    /** Whether it was asked for that the one statement of a batch is its own commit. */
    boolean isToCommitInStatement() {
        return commitInStatement;
    }

    /** Notes that the form for many rows wrote another number of rows, as with a trigger that suppresses one. */
    void wroteAnotherNumberOfRows() {
        multiRowInsert = null;
    }

    /** Whether the driver may make one statement of rows, whose number of rows it does not tell. */
    boolean mayBeMerged() {
        Look known = look;
        return known == null || (known.target() == InsertTarget.PLAIN && multiRowInsert != null);
    }

    Execution execution() {
        Look known = look;
        // The WITH that keeps PostgreSQL's driver from merging rows is refused by a table with rules.
        return execution == Execution.UNMERGED && known != null && known.target() == InsertTarget.NO_PLAIN_TABLE
                ? Execution.SINGLE
                : execution;
    }

    /** Whether all rows were bad last time, so that it does not pay to look for the good ones in a batch. */
    boolean failsThroughout() {
        return failsThroughout;
    }

    /** Notes that the answer to a batch could not be told from the ones to its rows. */
    void answeredUnclearly(Execution tried) {
        if (execution == tried) {
            execution = tried.next();
        }
    }

    /**
     * Notes that the driver made one statement of a batch whose generated keys were asked for. The database names one key of such a statement, and
     * the driver computes the others: wrongly, if rows bring keys of their own, or the session counts in other steps.
     */
    void computedKeys() {
        execution = Execution.SINGLE;
    }

    void failedThroughout(boolean failed) {
        if (failsThroughout != failed) {
            failsThroughout = failed;
        }
    }
}
