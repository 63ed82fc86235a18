package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A row whose failure looks like that of the whole batch fails alone. */
class RowsApartTests {

    private static final RowStatement UPDATE = RowStatement.of("UPDATE apart SET balance = balance - 1 WHERE id = ?");

    /** The databases, and MariaDB by the driver that reports a lock wait as a serialization failure. */
    enum Way {
        H2("jdbc:h2:mem:tests;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=200", Database.H2),
        MARIADB(null, Database.MARIADB),
        MARIADB_BY_MYSQLS_DRIVER(null, Database.MARIADB),
        POSTGRESQL(null, Database.POSTGRESQL);

        private final String url;
        private final Database database;

        Way(String url, Database database) {
            this.url = url;
            this.database = database;
        }

        /** Connections that wait for a lock for at most a second. */
        HikariDataSource pool() {
            return switch (this) {
                case H2 -> Database.pool(1, url);
                case MARIADB -> Database.pool(1, database.url() + "&sessionVariables=innodb_lock_wait_timeout=1");
                case MARIADB_BY_MYSQLS_DRIVER ->
                    Database.pool(1, Database.mysqlDriversUrl() + "&sessionVariables=innodb_lock_wait_timeout=1");
                case POSTGRESQL -> Database.pool(1, database.url() + "&options=-c%20lock_timeout=200");
            };
        }
    }

    private static void createTable(Database database) {
        database.execute("DROP TABLE IF EXISTS apart", "CREATE TABLE apart (id BIGINT PRIMARY KEY, balance INT)");
        for (int id = 0; id < 20; id++) {
            database.execute("INSERT INTO apart VALUES (" + id + ", 10)");
        }
    }

    private static List<CompletableFuture<RowOutcome>> updateEach(GroupCommit commits) {
        return IntStream.range(0, 20)
                .mapToObj(row -> commits.submit(UPDATE, (long) row))
                .toList();
    }

    /** That all rows were updated once but one, whose caller got what the database says of it. */
    private static void assertFailsAlone(Database database, List<CompletableFuture<RowOutcome>> updates, int bad) {
        assertThatThrownBy(updates.get(bad)::join).hasCauseInstanceOf(SQLException.class);
        for (int row = 0; row < 20; row++) {
            if (row != bad) {
                assertThat(updates.get(row).join().updateCount()).isEqualTo(1);
            }
        }
        assertThat(database.query("SELECT balance FROM apart WHERE id <> " + bad))
                .hasSize(19)
                .containsOnly("9");
        assertThat(database.query("SELECT balance FROM apart WHERE id = " + bad))
                .containsExactly("10");
    }

    @ParameterizedTest
    @EnumSource
    void aLockedRowFailsAloneAndIsWaitedForTwiceAtMost(Way way) throws Exception {
        createTable(way.database);
        try (WatchedDataSource watched = new WatchedDataSource(way.pool());
                Connection other = DriverManager.getConnection(way.database.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE apart SET balance = 10 WHERE id = 13");
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(20));
            List<CompletableFuture<RowOutcome>> updates = updateEach(commits);
            assertThatThrownBy(updates.get(13)::join).hasCauseInstanceOf(SQLException.class);
            assertThat(watched.steps("rollback")).hasSizeLessThanOrEqualTo(3);
            other.rollback();
            assertFailsAlone(way.database, updates, 13);
        }
    }

    /** Whether the parts of a row can be merged, or become an update each: those that give and those that take. */
    private enum Parts {
        ALL_TAKE,
        SOME_GIVE;

        int of(int position) {
            return this == SOME_GIVE && position % 2 == 1 ? -1 : 1;
        }
    }

    static Stream<Arguments> waysAndParts() {
        return Stream.of(Way.values()).flatMap(way -> Stream.of(Parts.values()).map(parts -> Arguments.of(way, parts)));
    }

    @ParameterizedTest
    @MethodSource("waysAndParts")
    void allPartsOfALockedRowWaitForItTwiceAtMost(Way way, Parts parts) throws Exception {
        createTable(way.database);
        MergedUpdate<Long, Integer> deduction = MergedUpdate.of(
                "UPDATE apart SET balance = balance - ? WHERE id = ?",
                (statement, id, count) -> {
                    statement.setInt(1, count);
                    statement.setLong(2, id);
                },
                Integer::sum);
        try (WatchedDataSource watched = new WatchedDataSource(way.pool());
                Connection other = DriverManager.getConnection(way.database.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE apart SET balance = 10 WHERE id = 7");
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(watched, deduction, GroupCommitTests.full(51));
            List<CompletableFuture<Boolean>> locked = IntStream.range(0, 50)
                    .mapToObj(part -> stock.submit(7L, parts.of(part)))
                    .toList();
            CompletableFuture<Boolean> free = stock.submit(8L, 1);
            assertThat(locked)
                    .allSatisfy(part -> assertThatThrownBy(() -> part.get(2, TimeUnit.MINUTES))
                            .hasCauseInstanceOf(SQLException.class));
            assertThat(free.join()).isTrue();
            assertThat(watched.steps("addBatch", "execute"))
                    .as("both rows together, and each alone")
                    .hasSizeLessThanOrEqualTo(4);
            other.rollback();
            assertThat(way.database.query("SELECT balance FROM apart WHERE id IN (7, 8) ORDER BY id"))
                    .containsExactly("10", "9");
        }
    }

    @Test
    void aRowThatATriggerRefusesAsASerializationFailureFailsAlone() {
        createTable(Database.POSTGRESQL);
        Database.POSTGRESQL.execute(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN IF NEW.id = 13 THEN RAISE ''mine'' USING ERRCODE = ''40001''; END IF; RETURN NEW; END'",
                "CREATE TRIGGER refusing BEFORE UPDATE ON apart FOR EACH ROW EXECUTE FUNCTION refuse()");
        try (HikariDataSource pool = Database.POSTGRESQL.pool(1)) {
            assertFailsAlone(Database.POSTGRESQL, updateEach(new GroupCommit(pool, GroupCommitTests.full(20))), 13);
        }
    }

    @Test
    void aRowThatATriggerRefusesAsADeadlockFailsAlone() {
        createTable(Database.MARIADB);
        Database.MARIADB.execute("CREATE TRIGGER refusing BEFORE UPDATE ON apart FOR EACH ROW IF NEW.id = 13 THEN"
                + " SIGNAL SQLSTATE '40001' SET MESSAGE_TEXT = 'mine'; END IF");
        try (HikariDataSource pool = Database.MARIADB.pool(1)) {
            assertFailsAlone(Database.MARIADB, updateEach(new GroupCommit(pool, GroupCommitTests.full(20))), 13);
        }
    }

    /** PostgreSQL's driver tells transactions only that they may not write: some rows of a batch would be refused, and others written one by one. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aPoolForReadersWritesInABatchWhatItWritesAlone(Database database) throws SQLException {
        database.table("by_readers");
        DataSource pool = MatrixPool.READ_ONLY.around(() -> DriverManager.getConnection(database.url()));
        try {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(6));
            String insert = "INSERT INTO by_readers (text) VALUES (?)";
            for (RowStatement statement : List.of(
                    RowStatement.of(insert),
                    RowStatement.of(insert).generatedKeys("id"),
                    RowStatement.of(
                            database == Database.H2
                                    ? "SELECT id FROM FINAL TABLE (" + insert + ")"
                                    : insert + " RETURNING id"))) {
                List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 6)
                        .mapToObj(row -> commits.submit(statement, row + " " + statement.hashCode()))
                        .toList();
                assertThat(writes.stream().map(CompletableFuture::join).map(RowOutcome::updateCount))
                        .containsOnly(1);
            }
            assertThat(database.query("SELECT id FROM by_readers")).hasSize(18);
        } finally {
            MatrixPool.close(pool);
        }
    }

    /** MySQL's driver chooses one of several servers after each rollback; what was written stays with the one before, without a commit. */
    @Test
    void goodRowsAreThereIfTheDriverGoesToAnotherServerAfterARollback() {
        String table = Database.MARIADB.table("elsewhere");
        String address = "localhost:" + Database.MARIADB.port();
        String url = Database.mysqlDriversUrl()
                .replace(
                        "jdbc:mysql://" + address,
                        "jdbc:mysql:loadbalance://127.0.0.1:%d,%s".formatted(Database.MARIADB.port(), address));
        try (HikariDataSource pool = Database.pool(1, url)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
            RowStatement insert = RowStatement.of("INSERT INTO " + table + " (text) VALUES (?)");
            List<String> told = new ArrayList<>();
            for (int batch = 0; batch < 30; batch++) { // the driver chooses by chance
                List<String> texts = List.of("a" + batch, "longer than twenty characters", "b" + batch);
                List<CompletableFuture<RowOutcome>> writes =
                        texts.stream().map(text -> commits.submit(insert, text)).toList();
                for (int row = 0; row < writes.size(); row++) {
                    if (FailureStatesTests.stateOf(writes.get(row)).equals(FailureStatesTests.WRITTEN)) {
                        told.add(texts.get(row));
                    }
                }
                assertThat(told).hasSize(2 * batch + 2);
                assertThat(Database.MARIADB.query("SELECT text FROM elsewhere"))
                        .containsExactlyInAnyOrderElementsOf(told);
            }
        }
    }

    /** MySQL's driver may believe that there is no transaction, after rows that were returned and a statement that failed. */
    @Test
    void goodRowsReturnWhatTheyReturnAloneIfTheDriverLeavesOutTheRollback() {
        Database.MARIADB.table("returned");
        try (HikariDataSource pool = Database.pool(1, Database.mysqlDriversUrl() + "&useLocalTransactionState=true")) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(4));
            RowStatement insert = RowStatement.of("INSERT INTO returned (text) VALUES (?) RETURNING text");
            List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", "longer than twenty characters", "c")
                    .map(text -> commits.submit(insert, text))
                    .toList();
            assertThat(writes.stream().map(FailureStatesTests::stateOf))
                    .containsExactly(
                            FailureStatesTests.WRITTEN,
                            FailureStatesTests.WRITTEN,
                            "22001",
                            FailureStatesTests.WRITTEN);
            assertThat(Database.MARIADB.query("SELECT text FROM returned ORDER BY text"))
                    .containsExactly("a", "b", "c");
        }
    }

    /** A table whose trigger refuses the text 0A000 with this state. */
    private static void createClosing(Database database) {
        database.table("closing");
        database.execute(
                switch (database) {
                    case MARIADB ->
                        "CREATE TRIGGER closing BEFORE INSERT ON closing FOR EACH ROW"
                                + " IF NEW.text = '0A000' THEN SIGNAL SQLSTATE '0A000'; END IF";
                    case POSTGRESQL ->
                        "CREATE OR REPLACE FUNCTION closing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                                + " IF NEW.text = '0A000' THEN RAISE EXCEPTION USING ERRCODE = '0A000'; END IF; RETURN NEW; END $$;"
                                + " CREATE TRIGGER closing BEFORE INSERT ON closing FOR EACH ROW EXECUTE FUNCTION closing()";
                    case H2 ->
                        "CREATE TRIGGER closing BEFORE INSERT ON closing FOR EACH ROW CALL '"
                                + FailureStatesTests.Refusal.class.getName() + "'";
                });
    }

    /**
     * HikariCP closes a connection whose database has answered with this state. A lazy proxy's rollback does nothing then, and a proxy that looks for
     * transactions does not call itself closed.
     */
    @ParameterizedTest
    @EnumSource
    void aRowForWhichThePoolClosesTheConnectionFailsAlone(MatrixDriver driver) throws SQLException {
        String state = "0A000";
        createClosing(driver.database);
        RowStatement insert = RowStatement.of("INSERT INTO closing (text) VALUES (?)");
        for (MatrixPool proxies : List.of(MatrixPool.NONE, MatrixPool.MANUAL_COMMITS, MatrixPool.ADORNED)) {
            DataSource dataSource = proxies.around(() -> DriverManager.getConnection(driver.url()));
            try {
                assertThat(FailureStatesTests.stateOf(new GroupCommit(dataSource).submit(insert, state)))
                        .as("alone, %s", proxies)
                        .isEqualTo(state);
                for (boolean inStatement : List.of(false, true)) {
                    GroupCommit full = new GroupCommit(
                            dataSource,
                            GroupCommitTests.full(5).toBuilder()
                                    .commitInStatement(inStatement)
                                    .build());
                    List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", state, "c", "d")
                            .map(text -> full.submit(insert, text.equals(state) ? state : text + proxies + inStatement))
                            .toList();
                    assertThat(writes.stream().map(FailureStatesTests::stateOf))
                            .as("one of five, %s, %s", proxies, inStatement)
                            .containsExactly(
                                    FailureStatesTests.WRITTEN,
                                    FailureStatesTests.WRITTEN,
                                    state,
                                    FailureStatesTests.WRITTEN,
                                    FailureStatesTests.WRITTEN);
                }
            } finally {
                MatrixPool.close(dataSource);
            }
        }
        assertThat(driver.database.query("SELECT id FROM closing")).hasSize(24);
    }
}
