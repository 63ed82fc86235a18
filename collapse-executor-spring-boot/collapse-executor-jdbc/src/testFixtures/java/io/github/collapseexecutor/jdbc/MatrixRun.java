package io.github.collapseexecutor.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of a cell one by one over plain JDBC, and the same rows through the library, into tables of equal rules, and compares
 * tables, keys, counts and failures.
 */
final class MatrixRun implements AutoCloseable {

    private static final int ROWS = 8;

    /** The second batch is written with what the writer has learned from the first. */
    private static final int BATCHES = 2;

    /** How long a database may be silent that is silent for ever. */
    private static final Duration SHORT = Duration.ofMillis(150);

    private static final Duration LONG = Duration.ofMinutes(1);

    // immutable
    private final MatrixDriver driver;
    private final Connection look;
    private final Set<String> created = new HashSet<>();
    /** To the server, for batches with a fault; null if there is no network. */
    private final @Nullable NetworkPath path;

    // mutable, confined to the test
    private long ids = 1_000_000_000L;

    MatrixRun(MatrixDriver driver) throws SQLException, IOException {
        this.driver = driver;
        this.path = driver.database == Database.H2 ? null : new NetworkPath(driver.database.port());
        this.look = driver.connect(List.of(), 1);
        if (driver.database == Database.MARIADB) {
            try (Statement statement = look.createStatement()) {
                statement.execute("SET foreign_key_checks = 0"); // to delete rows with their parents
            }
        }
    }

    /** The differences of a cell; empty if there is none. */
    List<String> differences(MatrixCell cell, Random random) throws SQLException {
        String single = table(cell, "single");
        String together = table(cell, "together");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<Told> alone = new ArrayList<>();
        List<Told> gathered = new ArrayList<>();
        List<String> differences = new ArrayList<>();
        DataSource pool = cell.pool().around(() -> connect(driver.url(), cell));
        try {
            String sql = cell.statement().sql(driver.database);
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .maxBatchSize(ROWS)
                            .collectingWaitTime(Duration.ofMinutes(10))
                            .commitInStatement(cell.commitInStatement())
                            .build());
            for (int batch = 0; batch < BATCHES; batch++) {
                ids += 100_000;
                List<List<@Nullable Object>> batchRows =
                        cell.rows().of(cell.statement(), ROWS, ids, "ab".substring(batch, batch + 1), random);
                alone.addAll(writeAlone(pool, sql.formatted(single), cell.keys(), batchRows));
                gathered.addAll(writeTogether(commits, sql.formatted(together), cell, batchRows));
                rows.addAll(batchRows);
                if (cell.remaking() != MatrixRemaking.NOT && batch == 0) {
                    compare(differences, cell, rows, alone, gathered);
                    remake(cell, single);
                    remake(cell, together);
                    rows.clear();
                    alone.clear();
                    gathered.clear();
                }
            }
        } finally {
            MatrixPool.close(pool);
        }
        compare(differences, cell, rows, alone, gathered);
        return differences;
    }

    /** Compares what is there, and what the callers of these rows are told. */
    private void compare(
            List<String> differences,
            MatrixCell cell,
            List<List<@Nullable Object>> rows,
            List<Told> alone,
            List<Told> gathered)
            throws SQLException {
        String single = name(cell, "single");
        String together = name(cell, "together");
        compare(differences, "table", contents(single), contents(together));
        compare(differences, "notes", notes(single), notes(together));
        Map<String, Long> idsAlone = idsByTag(single);
        Map<String, Long> idsTogether = idsByTag(together);
        Set<String> given = givenIds(cell.statement(), rows);
        compare(differences, "order of generated ids", generated(idsAlone, given), generated(idsTogether, given));
        for (int row = 0; row < rows.size(); row++) {
            String who = "row " + row + " " + rows.get(row);
            Told one = alone.get(row);
            Told other = gathered.get(row);
            compare(differences, who, one.withoutKeys(), other.withoutKeys());
            int tagAt = cell.statement().parameters().indexOf("tag");
            String tag = String.valueOf(rows.get(row).get(tagAt));
            compareKeys(differences, who, whose(one, tag, idsAlone), whose(other, tag, idsTogether));
            Object id = rows.get(row).get(0);
            if (id instanceof Long && cell.statement().parameters().get(0).equals("id")) {
                compare(differences, who + " is there", idsAlone.containsValue(id), idsTogether.containsValue(id));
            }
        }
    }

    /**
     * The differences of a cell in which a fault happens, from its rows one by one without it: of those that were written, and of those that the fault
     * has nothing to do with. If the outcome of a batch's rows is unknown, all of them are there, or none.
     */
    List<String> differences(MatrixCell cell, MatrixFault fault, Random random) throws SQLException {
        String together = table(cell, "together");
        String sql = cell.statement().sql(driver.database);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<Told> gathered = new ArrayList<>();
        DataSource writing = null;
        try (Connection other = driver.connect(List.of(), 1)) {
            other.setAutoCommit(false);
            FaultyDataSource faulty = new FaultyDataSource(
                    () -> open(cell, fault),
                    fault.isRefusal() ? Integer.MAX_VALUE : random.nextInt(5),
                    () -> strike(fault),
                    () -> releaseOnce(fault, other));
            writing = cell.pool() == MatrixPool.NONE ? faulty : cell.pool().around(faulty::getConnection);
            GroupCommit commits = new GroupCommit(
                    writing,
                    WriteOptions.builder()
                            .maxBatchSize(ROWS)
                            .collectingWaitTime(Duration.ofMinutes(10))
                            .commitInStatement(cell.commitInStatement())
                            .networkTimeout(fault == MatrixFault.STALL ? SHORT : LONG)
                            .build());
            for (int batch = 0; batch < BATCHES; batch++) {
                ids += 100_000;
                List<List<@Nullable Object>> batchRows =
                        cell.rows().of(cell.statement(), ROWS, ids, "ab".substring(batch, batch + 1), random);
                if (fault.isRefusal() && batch == 0 && cell.setting().hasTransactions()) {
                    lock(other, together, cell.statement(), batchRows);
                }
                gathered.addAll(writeTogether(commits, sql.formatted(together), cell, batchRows));
                other.rollback();
                rows.addAll(batchRows);
            }
        } finally {
            MatrixPool.close(writing);
        }
        if (path != null) {
            path.heal();
        }
        boolean isLoss = fault == MatrixFault.CUT_BEFORE || fault == MatrixFault.CUT_AFTER;
        List<String> differences = new ArrayList<>();
        for (int written = 0;
                written < 1 << BATCHES;
                written++) { // a bit for each batch: a slow machine is silent, too
            int there = written;
            List<Integer> certain = IntStream.range(0, rows.size())
                    .filter(row -> gathered.get(row).isWritten()
                            || (gathered.get(row).isUnknown() ? ((there >> (row / ROWS)) & 1) == 1 : isLoss))
                    .boxed()
                    .toList();
            for (List<Integer> order : List.of(certain, refusedRowsLater(certain, gathered))) {
                List<String> found = differencesFromAlone(cell, rows, gathered, order);
                if (found.isEmpty()) {
                    return List.of();
                }
                differences.addAll(found);
            }
        }
        return differences;
    }

    /** Rows that were refused before a commit of which nobody knows are written again after it. */
    private static List<Integer> refusedRowsLater(List<Integer> rows, List<Told> gathered) {
        return rows.stream()
                .sorted(Comparator.comparing((Integer row) -> row / ROWS)
                        .thenComparing(row -> !gathered.get(row).isUnknown()))
                .toList();
    }

    private List<String> differencesFromAlone(
            MatrixCell cell, List<List<@Nullable Object>> rows, List<Told> gathered, List<Integer> certain)
            throws SQLException {
        String single = table(cell, "single");
        String together = single.replace("_single", "_together");
        List<Told> alone;
        DataSource pool = cell.pool().around(() -> connect(driver.url(), cell));
        try {
            alone = writeAlone(
                    pool,
                    cell.statement().sql(driver.database).formatted(single),
                    cell.keys(),
                    certain.stream().map(rows::get).toList());
        } finally {
            MatrixPool.close(pool);
        }
        List<String> differences = new ArrayList<>();
        compare(differences, "table", contents(single), contents(together));
        compare(differences, "notes", notes(single), notes(together));
        for (int index = 0; index < certain.size(); index++) {
            Told told = gathered.get(certain.get(index));
            if (!told.isUnknown()) {
                String who = "row " + certain.get(index) + " " + rows.get(certain.get(index));
                compare(differences, who, alone.get(index).withoutKeys(), told.withoutKeys());
            }
        }
        if (!differences.isEmpty()) {
            differences.add("told " + gathered.stream().map(Told::failure).toList());
        }
        return differences;
    }

    private Connection connect(String url, MatrixCell cell) throws SQLException {
        List<String> options = new ArrayList<>(cell.options());
        options.addAll(cell.setting().options());
        return cell.setting().begin(driver.connect(url, options, cell.increment()), driver.database);
    }

    private Connection open(MatrixCell cell, MatrixFault fault) throws SQLException {
        String url = path == null ? driver.url() : path.through(driver.url());
        Connection connection = connect(url, cell);
        if (fault.isRefusal()) {
            MatrixFault.waitForLocksBriefly(driver.database, connection);
        }
        return connection;
    }

    private void strike(MatrixFault fault) {
        if (path != null) {
            switch (fault) {
                case CUT_BEFORE -> path.breakNext(false);
                case CUT_AFTER -> path.breakNext(true);
                case STALL -> path.fallSilentNext();
                case REFUSED, REFUSED_ALWAYS -> {}
            }
        }
    }

    private static void releaseOnce(MatrixFault fault, Connection other) {
        if (fault == MatrixFault.REFUSED) {
            try {
                other.rollback();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Has another transaction lock a row that the batch is to write in its middle, if it has one that can be, with each driver and in each setting. */
    private static void lock(
            Connection other, String table, MatrixStatement statement, List<List<@Nullable Object>> rows)
            throws SQLException {
        Object tag = rows.get(ROWS / 2).get(statement.parameters().indexOf("tag"));
        if (tag == null || !tag.toString().matches("\\w{1,20}")) {
            return;
        }
        boolean isThere = tag.toString().startsWith(MatrixRows.PRESENT);
        try (PreparedStatement lock = other.prepareStatement((isThere
                        ? "UPDATE %s SET amount = amount WHERE tag = ?"
                        : "INSERT INTO %s (tag, amount) VALUES (?, 70)")
                .formatted(table))) {
            lock.setObject(1, tag);
            lock.executeUpdate();
        }
    }

    /** The tags of rows whose ids were generated, in the order of these. A row that fails may move those that are generated after it. */
    private static List<String> generated(Map<String, Long> ids, Set<String> given) {
        return ids.entrySet().stream()
                .filter(entry -> !given.contains(String.valueOf(entry.getValue())))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Set<String> givenIds(MatrixStatement statement, List<List<@Nullable Object>> rows) {
        Set<String> given = new HashSet<>();
        if (statement.parameters().get(0).equals("id")) {
            rows.forEach(row -> given.add(String.valueOf(row.get(0))));
        }
        return given;
    }

    private static void compare(List<String> differences, String what, Object alone, Object together) {
        if (!alone.equals(together)) {
            differences.add(what + ": alone " + alone + ", together " + together);
        }
    }

    /** A key that is the row's own is right, whatever a driver said of the row alone. */
    private static void compareKeys(List<String> differences, String who, List<String> alone, List<String> together) {
        if (alone.size() == together.size()) {
            for (int key = 0; key < alone.size(); key++) {
                if (!together.get(key).equals("own")) {
                    compare(differences, who + " key", alone.get(key), together.get(key));
                }
            }
        }
    }

    private static List<String> whose(Told told, String tag, Map<String, Long> ids) {
        return told.keys().stream()
                .map(key -> {
                    Long id = ((Number) key).longValue();
                    return id.equals(ids.get(tag)) ? "own" : ids.containsValue(id) ? "of another row" : "of no row";
                })
                .toList();
    }

    private static List<Told> writeAlone(DataSource pool, String sql, boolean keys, List<List<@Nullable Object>> rows)
            throws SQLException {
        List<Told> told = new ArrayList<>();
        while (told.size() < rows.size()) {
            try (Connection connection =
                    pool.getConnection()) { // and again after a failure, for which a pool may close it
                writeAlone(connection, sql, keys, rows, told);
            }
        }
        return told;
    }

    private static void writeAlone(
            Connection connection, String sql, boolean keys, List<List<@Nullable Object>> rows, List<Told> told)
            throws SQLException {
        boolean commitsByItself = connection.getAutoCommit();
        try (PreparedStatement statement =
                keys ? connection.prepareStatement(sql, new String[] {"id"}) : connection.prepareStatement(sql)) {
            while (told.size() < rows.size()) {
                set(statement, rows.get(told.size()));
                Told written = execute(statement, keys);
                if (!commitsByItself) {
                    connection.commit();
                }
                told.add(written);
            }
        } catch (SQLException failure) {
            told.add(Told.failed(failure));
            if (!commitsByItself && !connection.isClosed()) {
                connection.rollback();
            }
        }
    }

    private static void set(PreparedStatement statement, List<@Nullable Object> row) throws SQLException {
        for (int index = 0; index < row.size(); index++) {
            statement.setObject(index + 1, row.get(index));
        }
    }

    private static Told execute(PreparedStatement statement, boolean keys) throws SQLException {
        if (statement.execute()) {
            try (ResultSet result = statement.getResultSet()) {
                List<List<@Nullable Object>> returned = read(result);
                return new Told(
                        "", returned.size(), keys && !returned.isEmpty() ? number(returned.get(0)) : null, returned);
            }
        }
        int count = statement.getUpdateCount();
        if (!keys || count == 0) {
            return new Told("", count, null, List.of());
        }
        try (ResultSet result = statement.getGeneratedKeys()) {
            List<List<@Nullable Object>> returned = read(result);
            return new Told("", count, returned.isEmpty() ? null : number(returned.get(0)), List.of());
        }
    }

    /** The key of a row that may hold its tag, too. */
    private static @Nullable Object number(List<@Nullable Object> row) {
        return row.stream().filter(Number.class::isInstance).findFirst().orElse(null);
    }

    private static List<List<@Nullable Object>> read(ResultSet result) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        while (result.next()) {
            rows.add(
                    result.getMetaData().getColumnCount() == 1
                            ? List.of(result.getObject(1))
                            : List.of(result.getObject(1), result.getObject(2)));
        }
        return rows;
    }

    private static List<Told> writeTogether(
            GroupCommit commits, String sql, MatrixCell cell, List<List<@Nullable Object>> rows) {
        RowStatement plain = RowStatement.of(sql);
        RowStatement statement = cell.keys() ? plain.generatedKeys("id") : plain;
        List<CompletableFuture<RowOutcome>> writes = rows.stream()
                .map(row -> cell.bySetter()
                        ? commits.submit(statement, prepared -> set(prepared, row))
                        : commits.submit(statement, row.toArray()))
                .toList();
        return writes.stream()
                .map(write -> {
                    try {
                        RowOutcome outcome =
                                write.orTimeout(1, TimeUnit.MINUTES).join();
                        Object key = outcome.generatedKeys().isEmpty() ? null : number(outcome.generatedKeys());
                        return new Told("", outcome.updateCount(), key, outcome.returnedRows());
                    } catch (CompletionException failure) {
                        return Told.failed(failure.getCause());
                    }
                })
                .toList();
    }

    private static String name(MatrixCell cell, String way) {
        return ("m_" + cell.rule() + "_" + cell.setting() + "_" + cell.increment() + "_" + way)
                .toLowerCase(Locale.ROOT);
    }

    /** A table of a cell's rule with the rows that are there before. */
    private String table(MatrixCell cell, String way) throws SQLException {
        String table = name(cell, way);
        if (created.add(table)) {
            execute(cell.rule().creating(driver.database, table, cell.increment(), cell.setting(), false));
        }
        fill(table);
        return table;
    }

    /** Makes another table of the same name; the next cell gets the usual one again. */
    private void remake(MatrixCell cell, String table) throws SQLException {
        created.remove(table);
        execute(cell.remaking().creating(cell, table));
        fill(table);
    }

    private void fill(String table) throws SQLException {
        execute(List.of(
                "DELETE FROM " + table,
                "DELETE FROM " + table + "_notes", // which triggers read
                IntStream.range(0, MatrixRows.PRESENT_ROWS)
                        .mapToObj(row -> "('%s%d', %d)".formatted(MatrixRows.PRESENT, row, row))
                        .collect(Collectors.joining(", ", "INSERT INTO " + table + " (tag, amount) VALUES ", "")),
                "DELETE FROM " + table + "_notes"));
    }

    private void execute(List<String> statements) throws SQLException {
        try (Statement statement = look.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private List<String> contents(String table) throws SQLException {
        return query("SELECT CONCAT_WS(' ', tag, COALESCE(CAST(amount AS CHAR(12)), '-'), state, parent) FROM " + table
                + " ORDER BY tag");
    }

    private List<String> notes(String table) throws SQLException {
        return query("SELECT CONCAT_WS(' ', text, COALESCE(CAST(amount AS CHAR(12)), '-')) FROM " + table
                + "_notes ORDER BY id");
    }

    private Map<String, Long> idsByTag(String table) throws SQLException {
        Map<String, Long> ids = new LinkedHashMap<>();
        for (String idAndTag : query("SELECT CONCAT_WS(' ', id, tag) FROM " + table + " ORDER BY id")) {
            String[] parts = idAndTag.split(" ", 2);
            ids.put(parts[1], Long.valueOf(parts[0]));
        }
        return ids;
    }

    private List<String> query(String sql) throws SQLException {
        try (Statement statement = look.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> column = new ArrayList<>();
            while (rows.next()) {
                column.add(rows.getString(1));
            }
            return column;
        }
    }

    @Override
    public void close() throws SQLException, IOException {
        look.close();
        if (path != null) {
            path.close();
        }
    }
}
