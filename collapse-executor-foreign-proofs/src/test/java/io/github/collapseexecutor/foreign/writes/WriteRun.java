package io.github.collapseexecutor.foreign.writes;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.OutcomeUnknownException;
import io.github.collapseexecutor.jdbc.RowOutcome;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteOptions;
import java.lang.reflect.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a set-up one by one and together, each into a table of its own, and compares. */
final class WriteRun {

    private static final int BATCHES = 2;

    // immutable
    private final WriteSetUp setUp;

    WriteRun(WriteSetUp setUp) {
        this.setUp = setUp;
    }

    /** The layers around a source of connections, to be closed. */
    private static final class Stack implements AutoCloseable {

        private final FaultySource source;
        private final DataSource outermost;
        private final Deque<AutoCloseable> closing = new ArrayDeque<>();

        Stack(WriteSetUp setUp, List<Layer> layers, Fault fault) throws Exception {
            source = new FaultySource(setUp.server(), setUp.shape().session(), fault);
            Random options = new Random(setUp.seed());
            DataSource dataSource = source;
            try {
                for (Layer layer : layers) {
                    dataSource = new PlainDataSource(layer.around(setUp.server(), dataSource, options, closing::push));
                }
            } catch (Throwable failure) {
                close();
                throw failure;
            }
            outermost = dataSource;
        }

        @Override
        public void close() {
            for (AutoCloseable each : closing) {
                try {
                    each.close();
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            }
        }
    }

    /** What differs; empty if nothing does. */
    List<String> differences() throws Exception {
        List<List<@Nullable Object>> rows = setUp.shape().rows(0, BATCHES * setUp.rows(), new Random(setUp.seed()));
        make("f_together");
        List<Told> gathered;
        try (Stack stack = new Stack(setUp, setUp.layers(), setUp.fault())) {
            gathered = writeTogether(stack, rows);
        }
        return setUp.fault() == Fault.NONE ? compared(rows, gathered) : comparedToWhatIsTold(rows, gathered);
    }

    private List<String> compared(List<List<@Nullable Object>> rows, List<Told> gathered) throws Exception {
        make("f_single");
        List<Told> alone = writeAlone(rows, setUp.layers());
        List<String> differences = compared(rows, alone, gathered);
        if (differences.isEmpty() || setUp.layers().isEmpty()) {
            return differences;
        }
        make("f_single"); // layers that keep statements may remember the types of other rows
        return compared(rows, writeAlone(rows, List.of()), gathered).isEmpty() ? List.of() : differences;
    }

    private List<String> compared(List<List<@Nullable Object>> rows, List<Told> alone, List<Told> gathered)
            throws SQLException {
        List<String> differences = new ArrayList<>();
        compare(differences, "table", contents("f_single"), contents("f_together"));
        for (int row = 0; row < rows.size(); row++) {
            if (!alone.get(row).isOfALayer() || !gathered.get(row).isUnknown()) {
                compare(differences, "row " + row + " " + text(rows.get(row)), alone.get(row), gathered.get(row));
            }
        }
        return differences;
    }

    /**
     * The rows that callers are told of are there, each as if alone, and those that are certainly not written are not; rows of unknown outcome may be
     * there or not.
     */
    private List<String> comparedToWhatIsTold(List<List<@Nullable Object>> rows, List<Told> gathered) throws Exception {
        List<Integer> unknown = IntStream.range(0, rows.size())
                .filter(row -> gathered.get(row).isUnknown())
                .boxed()
                .toList();
        List<Integer> written = IntStream.range(0, rows.size())
                .filter(row -> gathered.get(row).isWritten())
                .boxed()
                .toList();
        List<String> together = contents("f_together");
        List<String> differences = new ArrayList<>();
        for (boolean isThere : new boolean[] {false, true}) {
            make("f_single");
            List<List<@Nullable Object>> certain = IntStream.range(0, rows.size())
                    .filter(row -> written.contains(row) || (isThere && unknown.contains(row)))
                    .mapToObj(rows::get)
                    .toList();
            writeAlone(certain, setUp.layers());
            List<String> single = contents("f_single");
            if (single.equals(together)) {
                return List.of();
            }
            compare(differences, "table, unknown rows " + (isThere ? "there" : "not there"), single, together);
            if (unknown.isEmpty()) {
                break;
            }
        }
        for (int row = 0; row < rows.size(); row++) {
            differences.add("row " + row + " " + text(rows.get(row)) + " told " + gathered.get(row));
        }
        return differences;
    }

    private static void compare(List<String> differences, String of, Object alone, Object together) {
        if (!alone.equals(together)) {
            differences.add(of + ": alone " + alone + ", together " + together);
        }
    }

    private List<Told> writeTogether(Stack stack, List<List<@Nullable Object>> rows) throws Exception {
        GroupCommit commits = new GroupCommit(
                stack.outermost,
                WriteOptions.builder()
                        .maxBatchSize(setUp.rows())
                        .collectingWaitTime(Duration.ofMinutes(10))
                        .commitInStatement(setUp.commitInStatement())
                        .build());
        RowStatement plain = RowStatement.of(sql("f_together"));
        RowStatement statement = setUp.shape().key().isEmpty()
                ? plain
                : plain.generatedKeys(setUp.shape().key());
        List<Told> told = new ArrayList<>();
        for (int batch = 0; batch < BATCHES; batch++) {
            if (batch == 1) {
                stack.source.arm(setUp.stepsBeforeFault());
            }
            List<CompletableFuture<RowOutcome>> writes = new ArrayList<>();
            for (List<@Nullable Object> row : rows.subList(batch * setUp.rows(), (batch + 1) * setUp.rows())) {
                writes.add(
                        setUp.bySetter()
                                ? commits.submit(statement, prepared -> set(prepared, row))
                                : commits.submit(statement, row.toArray()));
            }
            for (CompletableFuture<RowOutcome> write : writes) {
                told.add(told(write));
            }
        }
        return told;
    }

    private Told told(CompletableFuture<RowOutcome> write) throws SQLException {
        RowOutcome outcome;
        try {
            outcome = write.orTimeout(1, TimeUnit.MINUTES).join();
        } catch (CompletionException failure) {
            return Told.failed(failure.getCause());
        }
        List<@Nullable Object> keys = outcome.generatedKeys();
        return new Told(
                "",
                outcome.updateCount(),
                keys.isEmpty() ? "" : rowOfKey("f_together", keys.get(0)),
                outcome.returnedRows().stream().map(WriteRun::text).toList());
    }

    private List<Told> writeAlone(List<List<@Nullable Object>> rows, List<Layer> layers) throws Exception {
        List<Told> told = new ArrayList<>();
        try (Stack stack = new Stack(setUp, layers, Fault.NONE)) {
            for (List<@Nullable Object> row : rows) {
                told.add(writeAlone(stack.outermost, row));
            }
        }
        return told;
    }

    private Told writeAlone(DataSource dataSource, List<@Nullable Object> row) throws SQLException {
        String sql = sql("f_single");
        String key = setUp.shape().key();
        Connection connection = dataSource.getConnection();
        try {
            boolean commitsByItself = connection.getAutoCommit();
            Told told;
            try (PreparedStatement statement = key.isEmpty()
                    ? connection.prepareStatement(sql)
                    : connection.prepareStatement(sql, new String[] {key})) {
                set(statement, row);
                told = execute(statement);
                if (!commitsByItself) {
                    connection.commit();
                }
            } catch (SQLException | RuntimeException failure) {
                told = Told.failed(failure);
                rollBack(connection);
            }
            return told.ofKey().isEmpty()
                    ? told
                    : new Told("", told.count(), rowOfKey("f_single", told.ofKey()), told.returned());
        } finally {
            close(connection);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException open) {
            // Some pools roll back what has been committed by itself, which drivers refuse.
        }
    }

    private static void rollBack(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException | RuntimeException lost) {
            // A pool has closed it, or a layer believes that there is a transaction where there is none.
        }
    }

    private Told execute(PreparedStatement statement) throws SQLException {
        List<String> returned = new ArrayList<>();
        int count = 0;
        boolean isResult = statement.execute();
        boolean hasResult = isResult;
        while (isResult || statement.getUpdateCount() >= 0) {
            if (isResult) {
                try (ResultSet result = statement.getResultSet()) {
                    returned.addAll(read(result));
                }
            } else {
                count += statement.getUpdateCount();
            }
            if (!hasResult) {
                break;
            }
            isResult = statement.getMoreResults();
        }
        if (hasResult && count == 0) {
            count = returned.size();
        }
        if (setUp.shape().key().isEmpty() || count == 0) {
            return new Told("", count, "", returned);
        }
        try (ResultSet keys = statement.getGeneratedKeys()) {
            return new Told("", count, keys.next() ? String.valueOf(keys.getObject(1)) : "", returned);
        } catch (SQLException unread) {
            return new Told(OutcomeUnknownException.class.getName(), 0, "", List.of());
        }
    }

    private static void set(PreparedStatement statement, List<@Nullable Object> row) throws SQLException {
        for (int index = 0; index < row.size(); index++) {
            statement.setObject(index + 1, row.get(index));
        }
    }

    private String sql(String table) {
        return setUp.shape().sql().replace("{t}", table);
    }

    private void make(String table) throws SQLException {
        try (Connection connection = setUp.server().connect();
                Statement statement = connection.createStatement()) {
            for (String sql : setUp.shape().ddl()) {
                statement.execute(sql.replace("{t}", table));
            }
        }
    }

    private List<String> contents(String table) throws SQLException {
        return query(setUp.shape().look().replace("{t}", table));
    }

    private String rowOfKey(String table, @Nullable Object key) throws SQLException {
        List<String> found = query("SELECT tag FROM " + table + " WHERE id = " + key);
        return found.isEmpty() ? "no row" : found.get(0);
    }

    private List<String> query(String sql) throws SQLException {
        try (Connection connection = setUp.server().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return read(rows);
        }
    }

    private static List<String> read(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<@Nullable Object> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                row.add(result.getObject(column));
            }
            rows.add(text(row));
        }
        return rows;
    }

    private static String text(List<@Nullable Object> row) {
        return row.stream().map(WriteRun::text).toList().toString();
    }

    private static String text(@Nullable Object value) {
        if (value != null && value.getClass().isArray()) {
            return IntStream.range(0, Array.getLength(value))
                    .mapToObj(index -> text(Array.get(value, index)))
                    .toList()
                    .toString();
        }
        return String.valueOf(value);
    }
}
