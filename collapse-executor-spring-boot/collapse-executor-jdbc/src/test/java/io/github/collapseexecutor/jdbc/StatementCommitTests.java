package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A batch that a database gets as one statement may be its own commit; each caller is told what is certain all the same. */
class StatementCommitTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO by_itself (text) VALUES (?)");
    private static final WriteOptions OPTIONS =
            GroupCommitTests.full(3).toBuilder().commitInStatement(true).build();

    private static List<CompletableFuture<RowOutcome>> submit(GroupCommit commits, @Nullable Object... texts) {
        return Arrays.stream(texts).map(text -> commits.submit(INSERT, text)).toList();
    }

    private static List<Object> outcomes(List<CompletableFuture<RowOutcome>> futures) {
        return futures.stream()
                .map(future -> future.handle(
                                (outcome, failure) -> failure == null ? (Object) outcome.updateCount() : failure)
                        .join())
                .toList();
    }

    private static List<Object> write(GroupCommit commits, @Nullable Object... texts) {
        return outcomes(submit(commits, texts));
    }

    private static List<String> rows(MatrixDriver driver) {
        return driver.database.query("SELECT text FROM by_itself ORDER BY text");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void batchIsItsOwnCommitIfThatIsAskedFor(MatrixDriver driver) {
        driver.database.table("by_itself");
        for (boolean asked : List.of(true, false)) {
            try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, driver.url()))) {
                GroupCommit commits = new GroupCommit(
                        watched, OPTIONS.toBuilder().commitInStatement(asked).build());
                String first = asked ? "a" : "d";
                assertThat(write(commits, first, first + 1, first + 2)).containsExactly(1, 1, 1);
                List<String> steps = watched.steps("execute", "executeUpdate", "executeBatch", "commit");
                if (asked) {
                    assertThat(steps).containsExactly("execute");
                } else {
                    assertThat(steps).hasSize(2).endsWith("commit");
                }
            }
        }
        assertThat(rows(driver)).containsExactly("a", "a1", "a2", "d", "d1", "d2");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void badRowFailsAlone(MatrixDriver driver) {
        driver.database.table("by_itself");
        driver.database.execute("INSERT INTO by_itself (text) VALUES ('taken')");
        try (HikariDataSource pool = Database.pool(1, driver.url())) {
            List<Object> outcomes = write(new GroupCommit(pool, OPTIONS), "a", "taken", "c");
            assertThat(outcomes.get(1)).isInstanceOf(SQLException.class);
            assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsExactly(1, 1);
        }
        assertThat(rows(driver)).containsExactly("a", "c", "taken");
    }

    /** No driver takes an object of a class that it does not know. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void rowWhoseValueCannotBeSetFailsAlone(MatrixDriver driver) {
        driver.database.table("by_itself");
        try (HikariDataSource pool = Database.pool(1, driver.url())) {
            List<Object> outcomes = write(new GroupCommit(pool, OPTIONS), "a", new Object(), "c");
            assertThat(outcomes.get(1)).isInstanceOf(SQLException.class);
            assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsExactly(1, 1);
        }
        assertThat(rows(driver)).containsExactly("a", "c");
    }

    /** Of a simple query with a zero, it says that the protocol is violated, which does not end the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void textThatPostgresqlCannotReadFailsAlone(String queryMode) {
        MatrixDriver driver = MatrixDriver.POSTGRESQL;
        for (boolean inStatement : List.of(true, false)) {
            driver.database.table("by_itself");
            try (HikariDataSource pool = Database.pool(1, driver.url() + "&preferQueryMode=" + queryMode)) {
                GroupCommit commits = new GroupCommit(
                        pool, OPTIONS.toBuilder().commitInStatement(inStatement).build());
                List<Object> outcomes = write(commits, "a", "zero \0", "c");
                assertThat(outcomes.get(1))
                        .isInstanceOf(SQLException.class)
                        .isNotInstanceOf(OutcomeUnknownException.class);
                assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsExactly(1, 1);
            }
            assertThat(rows(driver)).containsExactly("a", "c");
        }
    }

    /** In no strict mode, MariaDB refuses NULL in a statement of one row, and stores an empty text if there are more. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void rowWithoutValueIsRefusedInEachMode_thatMayDifferFromConnectionToConnection(MatrixDriver driver) {
        driver.database.table("by_itself");
        List<String> modes = List.of("STRICT_TRANS_TABLES", "", "STRICT_ALL_TABLES", "EMPTY_STRING_IS_NULL", "");
        List<Object> nulls = List.of("NULL", "NULL", "NULL", "''", "made by a trigger");
        AtomicReference<String> mode = new AtomicReference<>("");
        try (HikariDataSource pool = Database.pool(2, driver.url())) {
            GroupCommit commits = new GroupCommit(inMode(pool, mode), OPTIONS);
            for (int round = 0; round < modes.size(); round++) {
                mode.set(modes.get(round));
                Object given = nulls.get(round);
                if (given.equals("made by a trigger")) {
                    driver.database.execute("CREATE TRIGGER to_null BEFORE INSERT ON by_itself FOR EACH ROW"
                            + " SET NEW.text = NULLIF(NEW.text, 'made by a trigger')");
                    commits = new GroupCommit(inMode(pool, mode), OPTIONS);
                }
                assertThat(write(commits, "x" + round, "y" + round, "z" + round))
                        .containsExactly(1, 1, 1);
                List<Object> outcomes = write(
                        commits,
                        "a" + round,
                        given.equals("NULL") ? null : given.equals("''") ? "" : given,
                        "c" + round);
                assertThat(outcomes.get(1)).as(given + " in " + mode).isInstanceOf(SQLException.class);
                assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsExactly(1, 1);
            }
        }
        assertThat(rows(driver)).hasSize(5 * modes.size()).doesNotContain("");
    }

    /** Its driver makes one statement of the batch, which MariaDB takes as it takes one that is written so. */
    @ParameterizedTest
    @ValueSource(strings = {"VALUES (?)", "VALUES (NULLIF(?, 'to NULL'))"})
    void rowWithoutValueIsRefusedThoughADriverMergesIt(String values) {
        MatrixDriver driver = MatrixDriver.MYSQL;
        driver.database.table("by_itself");
        // else the driver adds a strict mode to that of the session
        String url = driver.url()
                + "&rewriteBatchedStatements=true&jdbcCompliantTruncation=false&sessionVariables=sql_mode=''";
        try (HikariDataSource pool = Database.pool(1, url)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(6));
            RowStatement insert = RowStatement.of("INSERT INTO by_itself (text) " + values);
            for (boolean bySetter : List.of(true, false)) {
                List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", "to NULL", "d", "e", "f")
                        .map(text -> bySetter + text)
                        .map(text -> text.endsWith("to NULL") ? values.contains("NULLIF") ? "to NULL" : null : text)
                        .map(text -> bySetter
                                ? commits.submit(insert, statement -> statement.setString(1, text))
                                : commits.submit(insert, text))
                        .toList();
                List<Object> outcomes = outcomes(writes);
                assertThat(outcomes.get(2)).isInstanceOf(SQLException.class);
                assertThat(outcomes).filteredOn(outcome -> outcome.equals(1)).hasSize(5);
            }
        }
        assertThat(rows(driver)).hasSize(10).doesNotContain("");
    }

    /** Gives connections whose session has a mode that changes. */
    private static DataSource inMode(DataSource pool, AtomicReference<String> mode) {
        return new DelegatingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET sql_mode = '" + mode.get() + "'");
                }
                return connection;
            }
        };
    }

    /** As it was not there when the catalogue was looked at. */
    @Test
    void triggerThatLeavesRowsOutTakesTheStatementBack() {
        MatrixDriver driver = MatrixDriver.POSTGRESQL;
        driver.database.table("by_itself");
        try (HikariDataSource pool = driver.database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, OPTIONS);
            assertThat(write(commits, "a", "b", "c")).containsExactly(1, 1, 1);
            driver.database.execute(
                    "CREATE OR REPLACE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS"
                            + " $$ BEGIN RETURN CASE WHEN NEW.text = 'out' THEN NULL ELSE NEW END; END $$",
                    "CREATE TRIGGER leave_out BEFORE INSERT ON by_itself FOR EACH ROW EXECUTE FUNCTION leave_out()");
            assertThat(write(commits, "d", "out", "f")).containsExactly(1, 0, 1);
        }
        assertThat(rows(driver)).containsExactly("a", "b", "c", "d", "f");
    }

    /** As with a trigger that skips a row, which MariaDB has since version 11.8; the server of the tests is older. */
    @Test
    void outcomeIsUnknownIfMariaDbHasLeftRowsOut_andTheNextBatchIsATransaction() {
        MatrixDriver driver = MatrixDriver.MARIADB;
        driver.database.table("by_itself");
        try (WatchedDataSource watched = new WatchedDataSource(driver.database.pool(1))) {
            GroupCommit commits = new GroupCommit(tellingOfOneRowLess(watched), OPTIONS);
            assertThat(write(commits, "a", "b", "c"))
                    .hasSize(3)
                    .hasOnlyElementsOfType(OutcomeUnknownException.class)
                    .doesNotHaveDuplicates();
            assertThat(write(commits, "d", "e", "f")).containsExactly(1, 1, 1);
            assertThat(watched.steps("execute", "commit")).startsWith("execute").endsWith("commit");
        }
        assertThat(rows(driver)).containsExactly("a", "b", "c", "d", "e", "f");
    }

    private static DataSource tellingOfOneRowLess(DataSource dataSource) {
        return new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                return telling(Connection.class, super.getConnection());
            }
        };
    }

    private static <T> T telling(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(target, arguments);
                        if (method.getName().equals("getUpdateCount") && result.equals(3)) {
                            return 2;
                        }
                        return result instanceof PreparedStatement statement
                                ? telling(PreparedStatement.class, statement)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void outcomeOfAllRowsIsUnknownIfTheConnectionBreaks(MatrixDriver driver) throws Exception {
        for (boolean afterTheServerHasActed : List.of(false, true)) {
            driver.database.table("by_itself");
            try (NetworkPath path = new NetworkPath(driver.database.port());
                    HikariDataSource pool = Database.pool(2, path.through(driver.url()))) {
                path.breakAt("INSERT INTO by_itself", afterTheServerHasActed);
                List<Object> outcomes = write(new GroupCommit(pool, OPTIONS), "a", "b", "c");
                assertThat(outcomes).hasSize(3).hasOnlyElementsOfType(OutcomeUnknownException.class);
                assertThat(outcomes).doesNotHaveDuplicates();
            }
            assertThat(rows(driver))
                    .containsExactlyElementsOf(afterTheServerHasActed ? List.of("a", "b", "c") : List.of());
        }
    }

    /** Else rows that are there would be written again. A driver may tell the server that a statement is closed, and find that the connection is lost. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void statementThatCannotBeClosedChangesNothing(MatrixDriver driver) {
        driver.database.table("by_itself");
        AtomicBoolean closed = new AtomicBoolean();
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, driver.url()))) {
            watched.before = step -> {
                boolean isFirst = step.equals("close")
                        && watched.steps("execute").size() == 1
                        && closed.compareAndSet(false, true);
                if (isFirst) {
                    throw new SQLException("The connection was lost", "08003");
                }
            };
            assertThat(write(new GroupCommit(watched, OPTIONS), "a", "b", "c")).containsExactly(1, 1, 1);
            assertThat(watched.steps("execute")).hasSize(1);
        }
        assertThat(rows(driver)).containsExactly("a", "b", "c");
    }

    /** In the middle of the statement: its first row is stored, its second one waits for a lock. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void sessionThatIsKilledInTheMiddleLeavesNoRow(MatrixDriver driver) throws SQLException {
        driver.database.table("by_itself");
        try (HikariDataSource pool = Database.pool(2, driver.url());
                Connection other = DriverManager.getConnection(driver.database.url());
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("INSERT INTO by_itself (text) VALUES ('b')");
            List<CompletableFuture<RowOutcome>> writes = submit(new GroupCommit(pool, OPTIONS), "a", "b", "c");
            end(driver.database, "KILL CONNECTION %s", "SELECT pg_terminate_backend(%s)");
            assertThat(outcomes(writes)).hasSize(3).hasOnlyElementsOfType(OutcomeUnknownException.class);
            other.rollback();
        }
        assertThat(rows(driver)).isEmpty();
    }

    /** The statement that is ended is taken back, so that the batch is written once more. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void statementThatIsEndedInTheMiddleIsWrittenOnce(MatrixDriver driver) throws SQLException {
        driver.database.table("by_itself");
        try (HikariDataSource pool = Database.pool(2, driver.url());
                Connection other = DriverManager.getConnection(driver.database.url());
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("INSERT INTO by_itself (text) VALUES ('b')");
            List<CompletableFuture<RowOutcome>> writes = submit(new GroupCommit(pool, OPTIONS), "a", "b", "c");
            end(driver.database, "KILL QUERY %s", "SELECT pg_cancel_backend(%s)");
            other.rollback();
            assertThat(outcomes(writes)).containsExactly(1, 1, 1);
        }
        assertThat(rows(driver)).containsExactly("a", "b", "c");
    }

    /** Waits until the statement of a batch waits for the lock, and has the server end it. */
    private static void end(Database database, String onMariaDb, String onPostgres) {
        String waiting = database == Database.MARIADB
                // INNODB_TRX stays as it is for as long as it is read more often than ten times a second
                ? "SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE 'INSERT%by_itself%' AND time_ms > 300"
                : "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%by_itself%'";
        Eventually.until(() -> !database.query(waiting).isEmpty());
        String session = database.query(waiting).get(0);
        database.execute((database == Database.MARIADB ? onMariaDb : onPostgres).formatted(session));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void deadlockIsTriedAgain(MatrixDriver driver) {
        driver.database.table("by_itself");
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, driver.url()))) {
            watched.before = step -> {
                if (step.equals("execute") && watched.steps("execute").size() == 1) {
                    throw new SQLException("deadlock detected", "40P01");
                }
            };
            assertThat(write(new GroupCommit(watched, OPTIONS), "a", "b", "c")).containsExactly(1, 1, 1);
            assertThat(watched.steps("execute")).hasSize(2);
        }
        assertThat(rows(driver)).containsExactly("a", "b", "c");
    }

    /** A statement of many rows has its limits; beyond them, a batch is a transaction. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void batchOfMoreRowsThanOneStatementTakesIsATransaction(MatrixDriver driver) {
        driver.database.table("by_itself");
        int tooMany = MultiRowInsert.ROWS_AT_MOST + 1;
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, driver.url()))) {
            GroupCommit commits = new GroupCommit(
                    watched, OPTIONS.toBuilder().maxBatchSize(tooMany).build());
            Object[] texts = Stream.iterate(0, text -> text + 1)
                    .limit(tooMany)
                    .map(String::valueOf)
                    .toArray();
            assertThat(write(commits, texts)).hasSize(tooMany).containsOnly(1);
            assertThat(watched.steps("commit")).hasSize(1);
        }
        assertThat(rows(driver)).hasSize(tooMany);
    }
}
