package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of an INSERT are written to PostgreSQL by one statement, and each caller learns of its own row what it would learn without. */
class MultiRowInsertTests {

    private static final Database DATABASE = Database.POSTGRESQL;
    private static final RowStatement INSERT = RowStatement.of("INSERT INTO many_rows (id, amount) VALUES (?, ?)");

    private static void createTable() {
        DATABASE.execute(
                "DROP TABLE IF EXISTS many_rows",
                "CREATE TABLE many_rows (id BIGINT PRIMARY KEY, amount DECIMAL(12, 2))");
    }

    private static List<CompletableFuture<RowOutcome>> submit(GroupCommit commits, int rows) {
        return IntStream.range(0, rows)
                .mapToObj(row -> commits.submit(INSERT, (long) row, row % 2 == 0 ? row : null))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO note (text) VALUES (?)",
                "insert into note values(?)",
                "INSERT INTO app.\"Note\" (\"Text\",\n  at)\n VALUES ( ? , ? ) ;",
                "INSERT INTO note (id) OVERRIDING SYSTEM VALUE VALUES (?)",
                "INSERT INTO note (text, state, at, n) VALUES (?, 'new', now(), -1.5)"
            })
    void anInsertOfParametersAndConstantsHasAFormForManyRows(String sql) {
        assertThat(MultiRowInsert.of(sql)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO note (text) VALUES (lower(?))",
                "INSERT INTO note (text) VALUES (?), (?)",
                "INSERT INTO note (text) VALUES (?) RETURNING id",
                "INSERT INTO note (text) VALUES (?) ON CONFLICT DO NOTHING",
                "INSERT INTO note (text) VALUES (?) -- (?)",
                "INSERT /* VALUES */ INTO note (text) VALUES (?)",
                "INSERT INTO note (text) SELECT * FROM (VALUES (?))",
                "INSERT INTO note (text) SELECT x FROM y UNION VALUES (?)",
                "WITH y AS (SELECT 1) INSERT INTO note (text) VALUES (?)",
                "INSERT INTO note (text) VALUES ('?', ?)",
                "INSERT INTO note (text) VALUES ('it''s', ?)",
                "INSERT INTO note (text) VALUES (nextval('numbers'), ?)",
                "INSERT INTO note (text) VALUES ('constant')",
                "INSERT INTO note DEFAULT VALUES",
                "UPDATE note SET text = ?",
                "MERGE INTO note (text) VALUES (?)"
            })
    void anAmbiguousFunctionHasNone(String sql) {
        assertThat(MultiRowInsert.of(sql)).isNull();
    }

    @Test
    void theTextHasAsManyRowsAsAreWritten() {
        MultiRowInsert insert = MultiRowInsert.of("INSERT INTO note (text, at) VALUES (?, ?);");
        assertThat(insert).isNotNull();
        assertThat(insert.sql(1)).isEqualTo("INSERT INTO note (text, at) VALUES (?, ?)");
        assertThat(insert.sql(3)).isEqualTo("INSERT INTO note (text, at) VALUES (?, ?), (?, ?), (?, ?)");
    }

    @Test
    void aStatementOfManyParametersTakesFewRows() {
        MultiRowInsert insert = MultiRowInsert.of("INSERT INTO wide VALUES (" + "?,".repeat(999) + "?)");
        assertThat(insert).isNotNull();
        assertThat(insert.rowsAtMost()).isEqualTo(32);
        assertThat(MultiRowInsert.of("INSERT INTO wide VALUES (" + "?,".repeat(19_999) + "?)"))
                .isNull();
    }

    @Test
    void aBatchIsOneStatement() {
        createTable();
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            List<CompletableFuture<RowOutcome>> writes =
                    submit(new GroupCommit(watched, GroupCommitTests.full(100)), 100);
            assertThat(writes).allSatisfy(write -> {
                assertThat(write.join().updateCount()).isEqualTo(1);
                assertThat(write.join().generatedKeys()).isEmpty();
            });
            assertThat(watched.steps("executeUpdate", "executeBatch", "execute", "commit"))
                    .hasSize(2);
            assertThat(DATABASE.query("SELECT id FROM many_rows ORDER BY ctid"))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 100).mapToObj(String::valueOf).toList());
            assertThat(DATABASE.query("SELECT SUM(amount) FROM many_rows")).containsExactly("2450.00");
        }
    }

    /** Without arrays, which take no number of this type for their column, a statement has a bounded number of parameters. */
    @Test
    void aLargeBatchIsWrittenInSeveralStatementsWithOneCommit() {
        createTable();
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(700));
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 700)
                    .mapToObj(row -> commits.submit(INSERT, (long) row, 0.5))
                    .toList();
            assertThat(writes)
                    .allSatisfy(write -> assertThat(write.join().updateCount()).isEqualTo(1));
            assertThat(watched.steps("executeUpdate")).hasSize(3);
            assertThat(watched.steps("commit")).hasSize(1);
            assertThat(DATABASE.query("SELECT COUNT(*) FROM many_rows")).containsExactly("700");
        }
    }

    @Test
    void aRowWithAnotherNumberOfValuesFailsAlone() {
        createTable();
        try (HikariDataSource pool = DATABASE.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(4));
            CompletableFuture<RowOutcome> first = commits.submit(INSERT, 1L, 1);
            CompletableFuture<RowOutcome> tooFew = commits.submit(INSERT, 2L);
            CompletableFuture<RowOutcome> tooMany = commits.submit(INSERT, 3L, 1, 1);
            CompletableFuture<RowOutcome> last = commits.submit(INSERT, 4L, 1);
            assertThat(first.join().updateCount()).isEqualTo(1);
            assertThat(last.join().updateCount()).isEqualTo(1);
            assertThatThrownBy(tooFew::join).hasCauseInstanceOf(SQLException.class);
            assertThatThrownBy(tooMany::join).hasCauseInstanceOf(SQLException.class);
            assertThat(DATABASE.query("SELECT id FROM many_rows ORDER BY id")).containsExactly("1", "4");
        }
    }

    @Test
    void aRowWhoseValueTheDriverDoesNotTakeFailsAlone() {
        createTable();
        try (HikariDataSource pool = DATABASE.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
            CompletableFuture<RowOutcome> first = commits.submit(INSERT, 1L, BigDecimal.ONE);
            CompletableFuture<RowOutcome> bad = commits.submit(INSERT, 2L, new Object());
            CompletableFuture<RowOutcome> last = commits.submit(INSERT, 3L, BigDecimal.TEN);
            assertThat(first.join().updateCount()).isEqualTo(1);
            assertThat(last.join().updateCount()).isEqualTo(1);
            assertThatThrownBy(bad::join).hasCauseInstanceOf(SQLException.class);
            assertThat(DATABASE.query("SELECT id FROM many_rows ORDER BY id")).containsExactly("1", "3");
        }
    }

    @Test
    void valuesOfDifferentTypesAreConvertedEachForItself() {
        createTable();
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(4));
            List<CompletableFuture<RowOutcome>> writes = List.of(
                    commits.submit(INSERT, 1, 1.25),
                    commits.submit(INSERT, 2L, new BigDecimal("2.50")),
                    commits.submit(INSERT, (short) 3, (Object) null),
                    commits.submit(INSERT, 4L, 4L));
            assertThat(writes)
                    .allSatisfy(write -> assertThat(write.join().updateCount()).isEqualTo(1));
            assertThat(watched.steps("executeUpdate")).hasSize(1);
            assertThat(DATABASE.query("SELECT id || ':' || COALESCE(amount, 0) FROM many_rows ORDER BY id"))
                    .containsExactly("1:1.25", "2:2.50", "3:0", "4:4.00");
        }
    }

    /** The database says how many rows were written, not which; so the rows are written one by one to learn that. */
    @Test
    void aRowThatATriggerSuppressesHasItsOwnCount() {
        createTable();
        DATABASE.execute(
                "CREATE OR REPLACE FUNCTION skip_odd() RETURNS trigger LANGUAGE plpgsql AS "
                        + "'BEGIN IF NEW.id % 2 = 1 THEN RETURN NULL; END IF; RETURN NEW; END'",
                "CREATE TRIGGER skip_odd BEFORE INSERT ON many_rows FOR EACH ROW EXECUTE FUNCTION skip_odd()");
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(10));
            for (int batch = 0; batch < 2; batch++) {
                assertThat(submit(commits, 10).stream()
                                .map(write -> write.join().updateCount()))
                        .containsExactly(1, 0, 1, 0, 1, 0, 1, 0, 1, 0);
                assertThat(DATABASE.query("SELECT id FROM many_rows ORDER BY id"))
                        .containsExactly("0", "2", "4", "6", "8");
                DATABASE.execute("DELETE FROM many_rows");
            }
            assertThat(watched.steps("executeUpdate")).hasSize(1); // the second batch is not tried so
            assertThat(watched.steps("commit")).hasSize(2);
        }
    }

    @Test
    void eachBadRowFailsWithItsOwnException() {
        createTable();
        DATABASE.execute("INSERT INTO many_rows VALUES (7, 0)");
        try (HikariDataSource pool = DATABASE.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(60));
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 60)
                    .mapToObj(row -> commits.submit(INSERT, (long) row, row == 50 ? new BigDecimal("1e11") : row))
                    .toList();
            assertThatThrownBy(writes.get(7)::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getSQLState()).isEqualTo("23505"));
            assertThatThrownBy(writes.get(50)::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getSQLState()).isEqualTo("22003"));
            assertThat(IntStream.range(0, 60)
                            .filter(row -> row != 7 && row != 50)
                            .map(row -> writes.get(row).join().updateCount()))
                    .hasSize(58)
                    .containsOnly(1);
            assertThat(DATABASE.query("SELECT COUNT(*) FROM many_rows")).containsExactly("59");
        }
    }

    @Test
    void aRowThatTheDriverCannotSetAndOneThatTheDatabaseRefusesFailAlone() {
        createTable();
        try (HikariDataSource pool = DATABASE.pool(1)) {
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .maxBatchSize(300)
                            .collectingWaitTime(Duration.ofMinutes(10))
                            .maxRetries(0)
                            .build());
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 300)
                    .mapToObj(row -> commits.submit(INSERT, row == 5 ? 4L : (long) row, row == 0 ? new Object() : row))
                    .toList();
            for (int bad : List.of(0, 5)) {
                assertThatThrownBy(writes.get(bad)::join).hasCauseInstanceOf(SQLException.class);
            }
            assertThat(IntStream.range(0, 300)
                            .filter(row -> row != 0 && row != 5)
                            .map(row -> writes.get(row).join().updateCount()))
                    .hasSize(298)
                    .containsOnly(1);
            assertThat(DATABASE.query("SELECT id FROM many_rows")).hasSize(298);
        }
    }
}
