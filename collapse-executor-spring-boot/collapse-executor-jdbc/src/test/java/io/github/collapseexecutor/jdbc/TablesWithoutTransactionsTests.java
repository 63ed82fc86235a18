package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nothing takes back what a statement has written to a table without transactions. So its rows are written one by one, and tables and callers are as with
 * single statements: for each engine of the server, behind whatever the table is, and whichever row fails.
 */
class TablesWithoutTransactionsTests {

    private static final boolean ALL = Boolean.getBoolean("write.matrix.all");
    private static final int ROWS = 5;

    /** What a statement names, in front of the table that has no transactions. */
    private enum Shape {
        TABLE,
        NAME_WITH_BLANK,
        VIEW,
        VIEW_OF_VIEW,
        TRIGGER,
        ROUTINE;

        /** The table without transactions. */
        String table(String way) {
            return this == NAME_WITH_BLANK ? "`no trans " + way + "`" : "no_trans_" + way;
        }

        void create(String engine, String way) {
            String table = table(way);
            String columns = " (tag VARCHAR(5) NOT NULL, amount INT NOT NULL) ENGINE = ";
            boolean isUnion = engine.equals("MRG_MyISAM");
            String base = "no_trans_base_" + way;
            Database.MARIADB.execute(Stream.of(
                            "DROP VIEW IF EXISTS outer_" + way,
                            "DROP VIEW IF EXISTS inner_" + way,
                            "DROP TABLE IF EXISTS noted_" + way,
                            "DROP PROCEDURE IF EXISTS put_" + way,
                            "DROP TABLE IF EXISTS " + table,
                            "DROP TABLE IF EXISTS " + base,
                            isUnion ? "CREATE TABLE " + base + columns + "MyISAM" : "",
                            "CREATE TABLE " + table + columns + engine
                                    + (isUnion ? " UNION = (" + base + ") INSERT_METHOD = LAST" : ""),
                            "CREATE VIEW inner_%s AS SELECT * FROM %s".formatted(way, table),
                            "CREATE VIEW outer_%1$s AS SELECT tag, amount FROM inner_%1$s".formatted(way),
                            "CREATE TABLE noted_" + way + columns + "InnoDB",
                            "CREATE TRIGGER note_%1$s AFTER INSERT ON noted_%1$s FOR EACH ROW INSERT INTO %2$s VALUES (NEW.tag, NEW.amount)"
                                    .formatted(way, table),
                            "CREATE PROCEDURE put_%s (t VARCHAR(30), a INT) INSERT INTO %s VALUES (t, a)"
                                    .formatted(way, table))
                    .filter(sql -> !sql.isEmpty())
                    .toArray(String[]::new));
        }

        String target(String way) {
            return switch (this) {
                case TABLE, NAME_WITH_BLANK, ROUTINE -> table(way);
                case VIEW -> "inner_" + way;
                case VIEW_OF_VIEW -> "tests.outer_" + way;
                case TRIGGER -> "noted_" + way;
            };
        }

        List<String> statements(String way) {
            if (this == ROUTINE) {
                return List.of("CALL put_" + way + "(?, ?)");
            }
            String insert = "INSERT INTO " + target(way) + " (tag, amount) ";
            return Stream.of(
                            insert + "VALUES (?, ?)",
                            insert + "SELECT CAST(? AS CHAR(30)), CAST(? AS DECIMAL(9))",
                            insert + "VALUES (?, ?) RETURNING tag",
                            "UPDATE " + target(way) + " SET tag = ?, amount = amount + ?")
                    .filter(sql -> !sql.endsWith("tag") || this == TABLE || this == NAME_WITH_BLANK)
                    .toList();
        }
    }

    /** One set-up; bad is the row that fails, or -1 for none. */
    private record Cell(
            String engine,
            Shape shape,
            int statement,
            int bad,
            boolean bySetter,
            boolean inStatement,
            boolean commits) {

        List<List<Object>> rows() {
            return IntStream.range(0, ROWS)
                    .<List<Object>>mapToObj(row -> List.of(row == bad ? "too long" : "r" + row, row + 1))
                    .toList();
        }
    }

    private static List<Cell> cells(Random random) {
        List<String> engines = new ArrayList<>(Database.MARIADB.query("SELECT ENGINE FROM information_schema.ENGINES"
                + " WHERE SUPPORT <> 'NO' AND TRANSACTIONS = 'NO' AND ENGINE <> 'PERFORMANCE_SCHEMA'"));
        assertThat(engines).contains("MyISAM", "Aria", "MEMORY", "CSV", "MRG_MyISAM");
        engines.add("InnoDB");
        List<Cell> cells = new ArrayList<>();
        for (String engine : engines) {
            for (Shape shape : Shape.values()) {
                int first = cells.size();
                for (int statement = 0; statement < shape.statements("").size(); statement++) {
                    for (int rest = 0; rest < 8 * (ROWS + 1); rest++) {
                        int bad = rest / 8 - 1;
                        cells.add(new Cell(
                                engine, shape, statement, bad, (rest & 1) == 1, (rest & 2) == 2, (rest & 4) == 0));
                    }
                }
                while (!ALL && cells.size() - first > 2) {
                    cells.remove(first + random.nextInt(cells.size() - first));
                }
            }
        }
        return cells;
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void tablesAndCallersAreAsWithSingleStatements(MatrixDriver driver) throws SQLException {
        Random random = new Random(Long.getLong("write.matrix.seed", 1));
        List<String> differences = new ArrayList<>();
        String created = "";
        for (Cell cell : cells(random)) {
            if (!created.equals(cell.engine() + cell.shape())) {
                cell.shape().create(cell.engine(), "single");
                cell.shape().create(cell.engine(), "together");
                created = cell.engine() + cell.shape();
            }
            empty(cell.shape());
            List<String> options =
                    driver.optionSets().get(random.nextInt(driver.optionSets().size()));
            List<Told> alone;
            List<Told> gathered;
            try (Connection connection = driver.connect(options, 1)) {
                alone = writeAlone(connection, cell);
            }
            try (Connection connection = driver.connect(options, 1)) {
                gathered = writeTogether(connection, cell);
            }
            for (String table : List.of("no_trans", "noted")) {
                List<String> single = contents(cell.shape(), table, "single");
                List<String> together = contents(cell.shape(), table, "together");
                if (!single.equals(together)) {
                    differences.add(
                            cell + " " + options + " " + table + ": alone " + single + ", together " + together);
                }
            }
            if (!alone.equals(gathered)) {
                differences.add(cell + " " + options + ": alone " + alone + ", together " + gathered);
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
    }

    private static void empty(Shape shape) throws SQLException {
        for (String way : List.of("single", "together")) {
            Database.MARIADB.execute(
                    "DELETE FROM " + shape.table(way),
                    "DELETE FROM noted_" + way,
                    "INSERT INTO %s VALUES ('old', 0)".formatted(shape.target(way)));
        }
    }

    private static List<String> contents(Shape shape, String table, String way) {
        return Database.MARIADB.query("SELECT CONCAT(tag, ' ', amount) FROM "
                + (table.equals("noted") ? "noted_" + way : shape.table(way)) + " ORDER BY 1");
    }

    private static List<Told> writeAlone(Connection connection, Cell cell) throws SQLException {
        List<Told> told = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement(cell.shape().statements("single").get(cell.statement()))) {
            for (List<Object> row : cell.rows()) {
                try {
                    set(statement, row);
                    told.add(new Told("", statement.execute() ? 1 : statement.getUpdateCount(), null, List.of()));
                } catch (SQLException failure) {
                    told.add(Told.failed(failure));
                }
            }
        }
        return told;
    }

    private static List<Told> writeTogether(Connection connection, Cell cell) throws SQLException {
        connection.setAutoCommit(cell.commits());
        GroupCommit commits = new GroupCommit(
                new OneConnection(connection),
                GroupCommitTests.full(ROWS).toBuilder()
                        .commitInStatement(cell.inStatement())
                        .build());
        RowStatement statement =
                RowStatement.of(cell.shape().statements("together").get(cell.statement()));
        List<CompletableFuture<RowOutcome>> writes = cell.rows().stream()
                .map(row -> cell.bySetter()
                        ? commits.submit(statement, prepared -> set(prepared, row))
                        : commits.submit(statement, row.toArray()))
                .toList();
        List<Told> told = writes.stream()
                .map(write -> write.handle((outcome, failure) -> failure == null
                                ? new Told("", outcome.updateCount(), null, List.of())
                                : Told.failed(failure))
                        .join())
                .toList();
        assertThat(connection.getAutoCommit()).isEqualTo(cell.commits());
        return told;
    }

    private static void set(PreparedStatement statement, List<?> row) throws SQLException {
        for (int index = 0; index < row.size(); index++) {
            statement.setObject(index + 1, row.get(index));
        }
    }

    /** After it, a batch would be tried again that the server has begun to write; only the row that was sent is unknown. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void rowsAreThereOnceAfterALostConnection(MatrixDriver driver) throws Exception {
        for (boolean commits : List.of(true, false)) {
            Shape.TABLE.create("MyISAM", "together");
            try (NetworkPath path = new NetworkPath(driver.database.port());
                    HikariDataSource pool = Database.pool(2, path.through(driver.url()))) {
                path.breakAt("INSERT INTO no_trans_together", true);
                GroupCommit writer =
                        new GroupCommit(commits ? pool : new ManualCommits(pool), GroupCommitTests.full(3));
                List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", "c")
                        .map(tag -> writer.submit(
                                RowStatement.of("INSERT INTO no_trans_together (tag, amount) VALUES (?, ?)"), tag, 1))
                        .toList();
                List<@Nullable Throwable> failures = writes.stream()
                        .map(write -> write.<@Nullable Throwable>handle((outcome, failure) -> failure)
                                .join())
                        .toList();
                assertThat(failures.get(0)).isInstanceOf(OutcomeUnknownException.class);
                assertThat(failures.subList(1, 3)).containsOnlyNulls();
            }
            assertThat(contents(Shape.TABLE, "no_trans", "together")).containsExactly("a 1", "b 1", "c 1");
        }
    }

    /** A trigger refuses the row when it is stored, with a state that says that the transaction was rolled back. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void rowThatWasStoredIsNotTriedAgain(MatrixDriver driver) throws SQLException {
        Shape.TABLE.create("Aria", "together");
        Database.MARIADB.execute(
                "CREATE TRIGGER after_it AFTER INSERT ON no_trans_together FOR EACH ROW SIGNAL SQLSTATE '40001'");
        try (HikariDataSource pool = Database.pool(2, driver.url())) {
            for (int rows : List.of(1, 3)) {
                GroupCommit writer = new GroupCommit(pool, GroupCommitTests.full(rows));
                List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, rows)
                        .mapToObj(row -> writer.submit(
                                RowStatement.of("INSERT INTO no_trans_together (tag, amount) VALUES (?, ?)"),
                                "r" + row,
                                rows))
                        .toList();
                writes.forEach(write -> assertThat(write).failsWithin(Duration.ofMinutes(1)));
            }
        }
        assertThat(contents(Shape.TABLE, "no_trans", "together")).containsExactly("r0 1", "r0 3", "r1 3", "r2 3");
    }

    /** The merged part changes one row before it fails at the next one; its parts would change that again. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void partsOfAMergedUpdateThatFailsInTheMiddleAreNotTriedAgain(MatrixDriver driver) throws SQLException {
        Shape.TABLE.create("MyISAM", "together");
        Database.MARIADB.execute("INSERT INTO no_trans_together VALUES ('a', 0), ('a', 2147483646)");
        try (HikariDataSource pool = Database.pool(2, driver.url())) {
            MergedUpdates<String, Integer> updates = new MergedUpdates<>(
                    pool,
                    MergedUpdate.of(
                            "UPDATE no_trans_together SET amount = amount + ? WHERE tag = ?",
                            (statement, tag, amount) -> {
                                statement.setInt(1, amount);
                                statement.setString(2, tag);
                            },
                            Math::addExact),
                    GroupCommitTests.full(2));
            List<CompletableFuture<Boolean>> writes = List.of(updates.submit("a", 3), updates.submit("a", 4));
            writes.forEach(write -> assertThat(write).failsWithin(Duration.ofMinutes(1)));
        }
        assertThat(contents(Shape.TABLE, "no_trans", "together")).containsExactly("a 2147483646", "a 7");
    }

    /** The look at the catalogue is one for many batches. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void catalogueIsAskedOnce(MatrixDriver driver) throws SQLException {
        Database.MARIADB.table("looked_at");
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, driver.url()))) {
            GroupCommit writer = new GroupCommit(watched, GroupCommitTests.full(2));
            for (int batch = 0; batch < 5; batch++) {
                RowStatement insert = RowStatement.of("INSERT INTO looked_at (text) VALUES (?)");
                List.of(writer.submit(insert, "a" + batch), writer.submit(insert, "b" + batch))
                        .forEach(CompletableFuture::join);
            }
            assertThat(watched.steps("executeQuery")).hasSize(1);
        }
    }
}
