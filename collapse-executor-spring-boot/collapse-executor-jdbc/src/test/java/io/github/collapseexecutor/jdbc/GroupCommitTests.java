package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.gate.OnEachJdk;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers of a group commit are promised, on every database. */
@OnEachJdk
class GroupCommitTests {

    private static RowStatement insertInto(String table) {
        return RowStatement.of("INSERT INTO " + table + " (text) VALUES (?)");
    }

    @ParameterizedTest
    @EnumSource
    void aLoneRowIsThereWhenTheCallReturns(Database database) throws Exception {
        String table = database.table("lone");
        try (HikariDataSource pool = database.pool(1)) {
            RowOutcome outcome = new GroupCommit(pool).execute(insertInto(table).generatedKeys("id"), "a");
            assertThat(outcome.updateCount()).isEqualTo(1);
            assertThat(database.query("SELECT text FROM lone WHERE id = " + outcome.generatedKey()))
                    .containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void goodRowsAreDurableAndEachPoisonRowFailsWithItsOwnException(Database database) throws Exception {
        String table = database.table("poison");
        database.execute("INSERT INTO poison (text) VALUES ('taken')");
        List<String> poison = new ArrayList<>(List.of("taken", "longer than twenty characters"));
        poison.add(null);
        Set<Integer> bad = Set.of(20, 90, 160);
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .collectingWaitTime(Duration.ofMinutes(10))
                            .maxBatchSize(200)
                            .listener(batch -> sizes.add(batch.size()))
                            .build());
            List<WriteResult<RowOutcome>> outcomes = SimultaneousCallers.all(
                    200,
                    index -> () -> commits.execute(
                            insertInto(table), bad.contains(index) ? poison.get(index / 70) : "row " + index));
            Eventually.until(() -> sizes.contains(200));
            assertThat(IntStream.range(0, 200)
                            .filter(index -> outcomes.get(index).failure() != null))
                    .containsExactlyInAnyOrder(20, 90, 160);
            assertThat(bad.stream().map(index -> outcomes.get(index).failure()))
                    .doesNotHaveDuplicates()
                    .allSatisfy(failure -> assertThat(failure).isInstanceOf(SQLException.class));
            assertThat(((SQLException) outcomes.get(20).failure()).getSQLState())
                    .isEqualTo(database == Database.MARIADB ? "23000" : "23505");
            assertThat(((SQLException) outcomes.get(90).failure()).getSQLState())
                    .isEqualTo("22001");
            assertThat(((SQLException) outcomes.get(160).failure()).getSQLState())
                    .startsWith("23");
            assertThat(database.query("SELECT text FROM poison WHERE text <> 'taken'"))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 200)
                            .filter(index -> !bad.contains(index))
                            .mapToObj(index -> "row " + index)
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachCallerGetsTheKeyOfItsOwnRow(Database database) throws Exception {
        String table = database.table("keyed");
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(pool);
            RowStatement insert = insertInto(table).generatedKeys("id");
            List<WriteResult<RowOutcome>> outcomes =
                    SimultaneousCallers.all(100, index -> () -> commits.execute(insert, "row " + index));
            for (int index = 0; index < 100; index++) {
                long key = outcomes.get(index).value().generatedKey();
                assertThat(database.query("SELECT text FROM keyed WHERE id = " + key))
                        .containsExactly("row " + index);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachCallerGetsTheUpdateCountOfItsOwnRow(Database database) throws Exception {
        String table = database.table("counted");
        database.execute("INSERT INTO counted (text) VALUES ('a1'), ('a2'), ('b1')");
        RowStatement delete = RowStatement.of("DELETE FROM " + table + " WHERE text LIKE ?");
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(pool, full(3));
            List<CompletableFuture<RowOutcome>> futures =
                    List.of(commits.submit(delete, "a%"), commits.submit(delete, "c%"), commits.submit(delete, "b%"));
            assertThat(futures.stream().map(future -> future.join().updateCount()))
                    .containsExactly(2, 0, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsAreCommittedOnConnectionsThatDoNotCommitByThemselves(Database database) throws Exception {
        String table = database.table("manually_committed");
        try (HikariDataSource pool = database.pool(2)) {
            ManualCommits connections = new ManualCommits(pool);
            new GroupCommit(connections).execute(insertInto(table), "alone");
            GroupCommit commits = new GroupCommit(connections, full(2));
            CompletableFuture<RowOutcome> first = commits.submit(insertInto(table), "first");
            commits.execute(insertInto(table), "second");
            first.join();
            assertThat(connections.ended).containsExactly("commit", "commit");
            assertThat(database.query("SELECT text FROM manually_committed ORDER BY text"))
                    .containsExactly("alone", "first", "second");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aParameterThatASetterForgetsIsNotTakenFromAnotherRow(Database database) throws Exception {
        // No unique column: what is taken from the row before is written.
        database.execute("DROP TABLE IF EXISTS forgotten", "CREATE TABLE forgotten (text VARCHAR(20) NOT NULL)");
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(pool, full(3));
            RowStatement insert = insertInto("forgotten");
            CompletableFuture<RowOutcome> first = commits.submit(insert, "a");
            CompletableFuture<RowOutcome> forgetful = commits.submit(insert, statement -> {});
            CompletableFuture<RowOutcome> last = commits.submit(insert, "c");
            assertThat(first.join().updateCount()).isEqualTo(1);
            assertThatThrownBy(forgetful::join).hasCauseInstanceOf(SQLException.class);
            assertThat(last.join().updateCount()).isEqualTo(1);
            assertThat(database.query("SELECT text FROM forgotten ORDER BY text"))
                    .containsExactly("a", "c");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSetterThatThrowsFailsItsOwnCaller(Database database) throws Exception {
        String table = database.table("thrown");
        IllegalArgumentException thrown = new IllegalArgumentException("mine");
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(pool, full(2));
            CompletableFuture<RowOutcome> failing = commits.submit(insertInto(table), statement -> {
                statement.setString(1, "half done");
                throw thrown;
            });
            assertThat(commits.execute(insertInto(table), "b").updateCount()).isEqualTo(1);
            assertThatThrownBy(failing::join).hasCause(thrown);
            assertThat(database.query("SELECT text FROM thrown")).containsExactly("b");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoEqualRowsInABatchTheFirstIsWritten(Database database) throws Exception {
        String table = database.table("twice");
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(pool, full(4));
            List<CompletableFuture<RowOutcome>> futures = IntStream.range(0, 4)
                    .mapToObj(index -> commits.submit(insertInto(table), "row " + index % 3))
                    .toList();
            assertThat(futures.stream().limit(3).map(future -> future.join().updateCount()))
                    .containsExactly(1, 1, 1);
            assertThatThrownBy(futures.get(3)::join).hasCauseInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fourHundredCallersShareAPoolOfTenConnections(Database database) throws Exception {
        String table = database.table("pooled");
        try (HikariDataSource pool = database.pool(10)) {
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .maxConcurrentBatches(20)
                            .maxBatchSize(7)
                            .build());
            List<WriteResult<RowOutcome>> outcomes =
                    SimultaneousCallers.all(400, index -> () -> commits.execute(insertInto(table), "row " + index));
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.failure()).isNull());
            assertThat(database.query("SELECT COUNT(*) FROM pooled")).containsExactly("400");
        }
    }

    @Test
    void aBatchThatTheDriverRewritesGivesEachRowItsOutcome() throws Exception {
        Database.POSTGRESQL.table("rewritten");
        try (HikariDataSource pool = Database.pool(1, Database.POSTGRESQL.url() + "&reWriteBatchedInserts=true")) {
            GroupCommit commits = new GroupCommit(pool, full(50));
            List<CompletableFuture<RowOutcome>> futures = IntStream.range(0, 50)
                    .mapToObj(index -> commits.submit(insertInto("rewritten"), "row " + (index == 30 ? 10 : index)))
                    .toList();
            assertThatThrownBy(futures.get(30)::join).hasCauseInstanceOf(SQLException.class);
            assertThat(IntStream.range(0, 50)
                            .filter(index -> index != 30)
                            .map(index -> futures.get(index).join().updateCount()))
                    .hasSize(49)
                    .containsOnly(1);
            assertThat(Database.POSTGRESQL.query("SELECT COUNT(*) FROM rewritten"))
                    .containsExactly("49");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNextBatchGathersWhileOneIsWritten(Database database) throws Exception {
        String table = database.table("gathered");
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .listener(batch -> sizes.add(batch.size()))
                            .build());
            CompletableFuture<RowOutcome> first = commits.submit(insertInto(table), statement -> {
                writing.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                statement.setString(1, "first");
            });
            writing.await();
            List<CompletableFuture<RowOutcome>> next = IntStream.range(0, 50)
                    .mapToObj(index -> commits.submit(insertInto(table), "row " + index))
                    .toList();
            assertThat(next).noneMatch(CompletableFuture::isDone);
            goOn.countDown();
            first.join();
            next.forEach(CompletableFuture::join);
            Eventually.until(() -> sizes.size() == 2);
            assertThat(sizes).containsExactlyInAnyOrder(1, 50); // each batch is reported by the thread that wrote it
        }
    }

    /** Options with which exactly so many rows form a batch. */
    static WriteOptions full(int rows) {
        return WriteOptions.builder()
                .maxBatchSize(rows)
                .collectingWaitTime(Duration.ofMinutes(10))
                .build();
    }
}
