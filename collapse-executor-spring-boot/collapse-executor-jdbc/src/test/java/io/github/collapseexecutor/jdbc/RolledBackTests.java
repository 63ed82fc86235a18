package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction that the database itself has rolled back is tried again, or divided, and nobody's row is lost or doubled. */
class RolledBackTests {

    private static final RowStatement UPDATE =
            RowStatement.of("UPDATE contended SET balance = balance - 1 WHERE id = ?");

    private static final WriteOptions WITHOUT_RETRY = WriteOptions.builder()
            .maxRetries(0)
            .maxBatchSize(2)
            .collectingWaitTime(Duration.ofMinutes(10))
            .build();

    /** Makes the batch of rows 1 and 2 the victim of a deadlock with a transaction that has row 2 and wants row 1. */
    private static List<CompletableFuture<RowOutcome>> deadlock(Database database, WriteOptions options)
            throws Exception {
        database.execute(
                "DROP TABLE IF EXISTS contended", "CREATE TABLE contended (id BIGINT PRIMARY KEY, balance INT)");
        for (int id = 1; id <= 20; id++) {
            database.execute("INSERT INTO contended VALUES (" + id + ", 10)");
        }
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(2));
                Connection other = DriverManager.getConnection(database.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            if (database == Database.POSTGRESQL) {
                statement.execute("SET deadlock_timeout = '1min'"); // the other one looks for deadlocks, and gives up
            }
            statement.executeUpdate("UPDATE contended SET balance = 0 WHERE id > 2"); // who changed more rows survives
            statement.executeUpdate("UPDATE contended SET balance = 7 WHERE id = 2");
            GroupCommit commits = new GroupCommit(watched, options);
            List<CompletableFuture<RowOutcome>> futures =
                    List.of(commits.submit(UPDATE, 1L), commits.submit(UPDATE, 2L));
            Eventually.until(() -> isWaiting(database));
            FutureTask<Integer> crossing = SimultaneousCallers.start(
                    () -> statement.executeUpdate("UPDATE contended SET balance = 5 WHERE id = 1"));
            assertThat(SimultaneousCallers.outcome(crossing).value()).isEqualTo(1);
            other.commit();
            for (CompletableFuture<RowOutcome> future : futures) {
                Eventually.until(future::isDone);
            }
            return futures;
        }
    }

    private static boolean isWaiting(Database database) {
        String waiting = database == Database.POSTGRESQL
                ? "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                : "SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'";
        return database.query(waiting).equals(List.of("1"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aBatchThatADeadlockRolledBackIsWrittenOnceMore(Database database) throws Exception {
        assertThat(deadlock(database, GroupCommitTests.full(2)).stream()
                        .map(future -> future.join().updateCount()))
                .containsExactly(1, 1);
        assertThat(database.query("SELECT balance FROM contended WHERE id <= 2 ORDER BY id"))
                .containsExactly("4", "6");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aBatchThatMayNotBeTriedAgainFailsAndIsNotWritten(Database database) throws Exception {
        assertThat(deadlock(database, WITHOUT_RETRY))
                .allSatisfy(future -> assertThatThrownBy(future::join)
                        .hasCauseInstanceOf(SQLException.class)
                        .extracting(thrown -> ((SQLException) thrown.getCause()).getSQLState())
                        .isEqualTo(database == Database.POSTGRESQL ? "40P01" : "40001"));
        assertThat(database.query("SELECT balance FROM contended WHERE id <= 2 ORDER BY id"))
                .containsExactly("5", "7");
    }

    /** As if each row were a transaction: a child that is written before its parent is refused. */
    @Test
    void aConstraintThatIsCheckedInTheCommitIsCheckedForEachRow() {
        Database.POSTGRESQL.execute(
                "DROP TABLE IF EXISTS late",
                "CREATE TABLE late (text VARCHAR(20) PRIMARY KEY,"
                        + " parent VARCHAR(20) REFERENCES late DEFERRABLE INITIALLY DEFERRED)");
        try (WatchedDataSource watched = new WatchedDataSource(Database.POSTGRESQL.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(4));
            RowStatement insert = RowStatement.of("INSERT INTO late (text, parent) VALUES (?, ?)");
            CompletableFuture<RowOutcome> parent = commits.submit(insert, "a", null);
            CompletableFuture<RowOutcome> tooEarly = commits.submit(insert, "c", "b");
            List<CompletableFuture<RowOutcome>> others =
                    List.of(parent, commits.submit(insert, "b", null), commits.submit(insert, "d", "b"));
            assertThatThrownBy(tooEarly::join)
                    .hasCauseInstanceOf(SQLException.class)
                    .hasMessageContaining("foreign key");
            assertThat(others.stream().map(other -> other.join().updateCount()))
                    .containsOnly(1)
                    .hasSize(3);
            assertThat(watched.steps("commit")).hasSize(1);
        }
        assertThat(Database.POSTGRESQL.query("SELECT text FROM late ORDER BY text"))
                .containsExactly("a", "b", "d");
    }

    /** As the catalogue did not say: a trigger makes it so. */
    @Test
    void aConstraintThatIsCheckedInTheCommitFailsItsOwnRow() {
        Database.POSTGRESQL.execute(
                "DROP TABLE IF EXISTS deferred",
                "CREATE TABLE deferred (text VARCHAR(20) UNIQUE DEFERRABLE)",
                "CREATE OR REPLACE FUNCTION defer() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN SET CONSTRAINTS ALL DEFERRED; RETURN NEW; END $$",
                "CREATE TRIGGER defer BEFORE INSERT ON deferred FOR EACH ROW EXECUTE FUNCTION defer()");
        try (WatchedDataSource watched = new WatchedDataSource(Database.POSTGRESQL.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(8));
            RowStatement insert = RowStatement.of("INSERT INTO deferred (text) VALUES (?)");
            List<CompletableFuture<RowOutcome>> futures = IntStream.range(0, 8)
                    .mapToObj(row -> commits.submit(insert, "row " + (row == 5 ? 2 : row)))
                    .toList();
            assertThatThrownBy(futures.get(5)::join)
                    .hasCauseInstanceOf(SQLException.class)
                    .hasMessageContaining("duplicate key");
            assertThat(IntStream.range(0, 8)
                            .filter(row -> row != 5)
                            .map(row -> futures.get(row).join().updateCount()))
                    .containsOnly(1)
                    .hasSize(7);
            assertThat(Database.POSTGRESQL.query("SELECT text FROM deferred ORDER BY text"))
                    .containsExactly("row 0", "row 1", "row 2", "row 3", "row 4", "row 6", "row 7");
            assertThat(watched.steps("rollback"))
                    .as("after each commit that was refused: of eight, of four and of two rows")
                    .hasSize(3);
        }
    }

    /** Two rows of one batch. */
    private static List<CompletableFuture<RowOutcome>> submitTwo(WatchedDataSource watched, WriteOptions options) {
        GroupCommit commits = new GroupCommit(watched, options);
        RowStatement insert = RowStatement.of("INSERT INTO taken_back (text) VALUES (?)");
        return List.of(commits.submit(insert, "first"), commits.submit(insert, "second"));
    }

    /** Has a batch of two rows fail after both were written, and not be tried again. */
    private static void failBehindTheRows(WatchedDataSource watched) {
        watched.after = step -> {
            if (step.matches("executeBatch|executeUpdate")) {
                throw new SQLTransactionRollbackException("said to be rolled back", "40001");
            }
        };
        assertThat(submitTwo(watched, WITHOUT_RETRY))
                .allSatisfy(future ->
                        assertThatThrownBy(future::join).hasCauseInstanceOf(SQLTransactionRollbackException.class));
        watched.after = step -> {};
    }

    @ParameterizedTest
    @EnumSource
    void aBatchThatFailsIsTakenBackBeforeItsConnectionIsGivenBack(Database database) {
        database.table("taken_back");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            failBehindTheRows(watched);
            assertThat(watched.steps("rollback", "setAutoCommit", "commit", "close"))
                    .endsWith("rollback", "setAutoCommit", "close");
            assertThat(database.query("SELECT text FROM taken_back")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatCannotTakeItsBatchBackIsAborted(Database database) {
        database.table("taken_back");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            watched.before = step -> {
                if (step.equals("rollback")) {
                    throw new SQLException("no rollback");
                }
            };
            failBehindTheRows(watched);
            assertThat(watched.steps("abort")).hasSize(1);
            assertThat(database.query("SELECT text FROM taken_back")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUncertainCommitIsNotCommittedByGivingTheConnectionBack(Database database) {
        database.table("taken_back");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            watched.before = step -> {
                if (step.equals("commit")) {
                    throw new SQLNonTransientConnectionException("said to be lost", "08006");
                }
            };
            assertThat(submitTwo(watched, GroupCommitTests.full(2)))
                    .allSatisfy(future ->
                            assertThatThrownBy(future::join).hasCauseInstanceOf(OutcomeUnknownException.class));
            Eventually.until(() -> watched.steps("close").size() > 0);
            assertThat(database.query("SELECT text FROM taken_back")).isEmpty();
        }
    }

    /** The first time to count its steps, the second time with a transaction that is rolled back at its last row. */
    @ParameterizedTest
    @EnumSource
    void aRowThatWasRefusedForAnotherOneIsNotToldSoIfThatOneIsRolledBack(Database database) {
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(
                    watched, GroupCommitTests.full(3).toBuilder().maxRetries(0).build());
            RowStatement insert = RowStatement.of("INSERT INTO " + database.table("refused") + " (text) VALUES (?)");
            assertThat(failures(commits, insert, "a", "a", "b")).containsExactly("", "23", "");
            int executions =
                    watched.steps("execute", "executeBatch", "executeUpdate").size();
            AtomicInteger left = new AtomicInteger(executions);
            watched.before = step -> {
                if (step.startsWith("execute") && left.decrementAndGet() == 0) {
                    throw new SQLException("rolled back", "40001");
                }
            };
            assertThat(failures(commits, insert, "c", "c", "d")).containsExactly("40", "40", "40");
            assertThat(database.query("SELECT text FROM refused ORDER BY text")).containsExactly("a", "b");
        }
    }

    /** The class of each row's failure; empty for a row that is written. */
    private static List<String> failures(GroupCommit commits, RowStatement insert, String... rows) {
        return Stream.of(rows).map(row -> commits.submit(insert, row)).toList().stream()
                .map(row -> row.handle((outcome, failure) -> failure == null
                                ? ""
                                : ((SQLException) failure).getSQLState().substring(0, 2))
                        .join())
                .toList();
    }
}
