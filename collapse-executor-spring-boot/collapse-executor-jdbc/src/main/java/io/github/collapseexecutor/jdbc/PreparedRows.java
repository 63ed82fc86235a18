package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.LearnedStatement.Execution;
import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.jdbc.connection.SilenceWatch;
import io.github.collapseexecutor.jdbc.connection.Tried;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statement of a batch on one connection: sets the parameters of rows, executes them alone or together, and reads what
 * each caller gets.
 */
final class PreparedRows implements AutoCloseable {

    /** Thrown if the answer to a batch cannot be told from the one to each row. */
    static final class UnclearAnswer extends Exception {
        private static final long serialVersionUID = 1L;

        UnclearAnswer() {
            super("", null, false, false);
        }
    }

    // immutable
    private final Connection connection;
    private final RowStatement statement;
    private final LearnedStatement learned;
    private final Execution execution;
    private final SilenceWatch.Watched watched;

    // mutable, confined to the writing thread
    /** The one that rows are set on. */
    private PreparedStatement prepared;

    private @Nullable PreparedStatement ofBatches;
    private @Nullable PreparedStatement ofSingleRows;
    private SetterStatement ofSetters;
    private boolean answered;

    PreparedRows(Connection connection, RowStatement statement, LearnedStatement learned, SilenceWatch.Watched watched)
            throws SQLException {
        this.connection = connection;
        this.watched = watched;
        this.statement = statement;
        this.learned = learned;
        this.execution = learned.execution();
        this.prepared = prepare(connection);
        this.ofSetters = new SetterStatement(prepared);
    }

    private PreparedStatement prepare(Connection connection) throws SQLException {
        List<String> keys = statement.generatedKeys();
        if (!keys.isEmpty()) {
            return connection.prepareStatement(statement.sql(), keys.toArray(String[]::new));
        }
        if (execution != Execution.UNMERGED) {
            return connection.prepareStatement(statement.sql());
        }
        // PostgreSQL's driver merges what starts with INSERT, MariaDB's what nobody wants the keys of.
        return learned.database(connection).product().mergesByFirstWord()
                ? connection.prepareStatement("WITH unmerged AS (SELECT 1) " + statement.sql())
                : connection.prepareStatement(statement.sql(), Statement.RETURN_GENERATED_KEYS);
    }

    /** Whether several rows may be executed as a batch. */
    boolean takesBatches() {
        return execution != Execution.SINGLE;
    }

    /**
     * The form of the statement for many rows, where it pays: PostgreSQL executes the rows of a batch one by one, MariaDB takes them as
     * one command, and H2 is asked inside the process.
     */
    @Nullable MultiRowInsert multiRowInsert() {
        MultiRowInsert insert = learned.multiRowInsert();
        return statement.generatedKeys().isEmpty() ? insert : null;
    }

    /** The statement that takes the values of rows as arrays; null if there is none for them. */
    @Nullable OneStatement arraysOf(List<Row> rows) {
        ArrayInsert arrays = learned.arrayInsert();
        return arrays == null ? null : arrays.with(rows);
    }

    /**
     * Executes rows by one statement.
     *
     * @return whether they are executed; if not, the statement is not understood or the parameters of one cannot be set, and nothing was sent
     */
    boolean executeAsOne(OneStatement one, int rows) throws SQLException, UnclearAnswer {
        PreparedStatement all = learned.prepareManyRows(connection, one.sql());
        if (all == null) {
            return false;
        }
        try {
            if (!Tried.done(() -> one.set(connection, all))) {
                return false; // it comes again when the row is set by itself
            }
            watched.step();
            int written;
            try {
                written = all.executeUpdate();
            } catch (SQLException failure) {
                learned.failedTogether();
                throw failure;
            }
            if (written != rows) {
                learned.wroteAnotherNumberOfRows();
                throw new UnclearAnswer();
            }
            return true;
        } finally {
            Tried.done(all::close);
        }
    }

    /** Whether the database has answered the last row that was executed alone, whatever came after that. */
    boolean wasAnswered() {
        return answered;
    }

    /** Sets the parameters of a row; what is thrown is of its caller's own making. */
    void set(Row row) throws SQLException {
        prepared.clearParameters(); // or a parameter that the setter forgets would be the one of another caller
        row.set(prepared, ofSetters);
    }

    /** Has the rows that are set from now on be executed as a batch. */
    void beginBatch() throws SQLException {
        if (ofBatches == null) {
            ofBatches = ofSingleRows == null ? prepared : prepare(connection);
        } else {
            ofBatches.clearBatch();
        }
        use(ofBatches);
    }

    /**
     * Has the rows that are set from now on be executed alone. A statement that took a batch is not used for that: a layer above the driver may keep
     * the batch, and execute a row of it instead, as the parser of jOOQ does.
     */
    void beginAlone() throws SQLException {
        if (ofSingleRows == null) {
            ofSingleRows = ofBatches == null ? prepared : prepare(connection);
        }
        use(ofSingleRows);
    }

    private void use(PreparedStatement statement) {
        if (prepared != statement) {
            prepared = statement;
            ofSetters = new SetterStatement(statement);
        }
    }

    void addToBatch() throws SQLException {
        prepared.addBatch();
    }

    /** Executes the row that was set last. */
    RowOutcome execute() throws SQLException {
        answered = false;
        watched.step();
        boolean returnsRows = prepared.execute();
        answered = true;
        if (returnsRows) {
            return readResults();
        }
        int count = Math.max(0, prepared.getUpdateCount());
        List<List<@Nullable Object>> keys = count == 0 ? List.of() : readKeys();
        return new RowOutcome(count, keys.isEmpty() ? List.of() : keys.get(0), List.of());
    }

    /** What a statement returned, and how many rows it says it changed, or returned if it does not say. */
    private RowOutcome readResults() throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        int count = -1;
        boolean more = true;
        while (more) {
            try (ResultSet result = prepared.getResultSet()) {
                rows.addAll(read(result));
            }
            more = prepared.getMoreResults();
            while (!more && prepared.getUpdateCount() >= 0) {
                count = Math.max(0, count) + prepared.getUpdateCount();
                more = prepared.getMoreResults();
            }
        }
        List<List<@Nullable Object>> keys = statement.generatedKeys().isEmpty() ? List.of() : rows;
        return new RowOutcome(count < 0 ? rows.size() : count, keys.isEmpty() ? List.of() : keys.get(0), rows);
    }

    /** Executes the batch of the given rows; the outcomes are in its order. */
    List<RowOutcome> executeBatch(List<Row> rows) throws SQLException, UnclearAnswer {
        int size = rows.size();
        watched.step(size);
        int[] counts = prepared.executeBatch();
        if (counts.length != size) {
            throw unclear();
        }
        DatabaseProduct product = learned.database(connection).product();
        if (product.rewritesBatches()
                && Arrays.stream(counts).anyMatch(count -> count == Statement.SUCCESS_NO_INFO)
                && learned.mayWriteNull(rows)
                && product.storesNullOtherwise(connection)) {
            throw new UnclearAnswer();
        }
        boolean asksForKeys = !statement.generatedKeys().isEmpty();
        for (int index = 0; index < counts.length; index++) {
            if (counts[index] == Statement.SUCCESS_NO_INFO && asksForKeys) {
                learned.computedKeys();
                throw new UnclearAnswer();
            }
            if (counts[index] == Statement.SUCCESS_NO_INFO && learned.writesExactlyOneRow() && learned.mayBeMerged()) {
                counts[index] = 1;
            }
            // Keys come in one list for all rows: whose they are is certain only if each row has one.
            if (asksForKeys ? counts[index] != 1 : counts[index] < 0) {
                throw unclear();
            }
        }
        List<List<@Nullable Object>> keys = readKeys();
        if (asksForKeys && keys.size() != size) {
            throw unclear();
        }
        List<RowOutcome> outcomes = new ArrayList<>(size);
        for (int index = 0; index < size; index++) {
            outcomes.add(
                    keys.isEmpty()
                            ? RowOutcome.ofCount(counts[index])
                            : new RowOutcome(counts[index], keys.get(index), List.of()));
        }
        return outcomes;
    }

    private UnclearAnswer unclear() {
        if (statement.generatedKeys().isEmpty()) { // with keys, it depends on what the rows were
            learned.answeredUnclearly(execution);
        }
        return new UnclearAnswer();
    }

    private List<List<@Nullable Object>> readKeys() throws SQLException {
        if (statement.generatedKeys().isEmpty()) {
            return List.of();
        }
        try (ResultSet keys = prepared.getGeneratedKeys()) {
            return read(keys);
        }
    }

    private static List<List<@Nullable Object>> read(ResultSet result) throws SQLException {
        int columns = result.getMetaData().getColumnCount();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        while (result.next()) {
            List<@Nullable Object> row = new ArrayList<>(columns);
            for (int column = 1; column <= columns; column++) {
                row.add(detached(result.getObject(column)));
            }
            rows.add(row);
        }
        return rows;
    }

    /** A value that can be read when the connection has been given back. */
    private static @Nullable Object detached(@Nullable Object value) throws SQLException {
        if (value instanceof Blob blob) {
            return blob.getBytes(1, Math.toIntExact(blob.length()));
        }
        if (value instanceof Clob clob) {
            return clob.getSubString(1, Math.toIntExact(clob.length()));
        }
        if (value instanceof SQLXML xml) {
            return xml.getString();
        }
        return value instanceof Array array ? array.getArray() : value;
    }

    @Override
    public void close() {
        // One that cannot be closed is closed with the connection; what became of the rows does not depend on it.
        Tried.done(prepared::close);
        for (PreparedStatement other : Arrays.asList(ofBatches, ofSingleRows)) {
            if (other != null && other != prepared) {
                Tried.done(other::close);
            }
        }
    }
}
