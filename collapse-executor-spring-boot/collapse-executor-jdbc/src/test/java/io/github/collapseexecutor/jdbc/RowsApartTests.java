package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
}
