package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.sequence.SequenceConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that is silent keeps nobody waiting for ever, and one that answers slowly is not taken for a silent one. */
class SilentDatabaseTests {

    private static WriteOptions options(int rows, Duration networkTimeout) {
        return WriteOptions.builder()
                .maxBatchSize(rows)
                .collectingWaitTime(Duration.ofMinutes(10))
                .networkTimeout(networkTimeout)
                .build();
    }

    private static MergedUpdate<Long, Integer> deductionThatReads() {
        return MergedUpdatesTests.deduction()
                .reading(
                        "SELECT balance FROM stock WHERE goods_id = ?",
                        (statement, goodsId) -> statement.setLong(1, goodsId),
                        row -> {
                            int balance = row.getInt(1);
                            return count -> count <= balance;
                        });
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void allAreAnsweredIfItFallsSilentWhenARowIsRead(Database database) throws Exception {
        MergedUpdatesTests.stock(database, 7, 7);
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            MergedUpdates<Long, Integer> stock =
                    new MergedUpdates<>(pool, deductionThatReads(), options(4, Duration.ofMillis(500)));
            path.fallSilentAt("SELECT balance");
            List<CompletableFuture<Boolean>> parts =
                    List.of(stock.submit(1L, 5), stock.submit(1L, 5), stock.submit(2L, 5), stock.submit(2L, 5));
            assertThat(parts)
                    .allSatisfy(part -> assertThatThrownBy(() -> part.get(20, TimeUnit.SECONDS))
                            .hasCauseInstanceOf(SQLException.class));
            assertThat(database.query("SELECT balance FROM stock")).containsExactly("7", "7");
        }
    }

    @Test
    void aPoolWithoutConnectionsIsAskedOnceForAllRowsThatAreToBeRead() throws Exception {
        MergedUpdatesTests.stock(
                Database.H2, IntStream.generate(() -> 7).limit(20).toArray());
        AtomicInteger asked = new AtomicInteger();
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(1))) {
            watched.before = step -> {
                if (step.equals("getConnection") && asked.incrementAndGet() > 1) {
                    throw new SQLException("no connection within 30 s");
                }
            };
            MergedUpdates<Long, Integer> stock =
                    new MergedUpdates<>(watched, deductionThatReads(), GroupCommitTests.full(40));
            List<CompletableFuture<Boolean>> parts = IntStream.range(0, 40)
                    .mapToObj(part -> stock.submit(1L + part % 20, 5))
                    .toList();
            assertThat(parts)
                    .allSatisfy(part -> assertThatThrownBy(() -> part.get(1, TimeUnit.MINUTES))
                            .hasRootCauseMessage("no connection within 30 s"));
            assertThat(asked).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void callersOfASequenceAreAnswered(Database database) throws Exception {
        database.execute("DROP SEQUENCE IF EXISTS silent_number", "CREATE SEQUENCE silent_number");
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            DatabaseSequences sequences = new DatabaseSequences(new SequenceConnections(pool, Duration.ofMillis(500)));
            sequences.take("silent_number", 1);
            path.fallSilentAt("silent_number");
            FutureTask<long[]> taking = SimultaneousCallers.start(() -> sequences.take("silent_number", 1));
            assertThatThrownBy(() -> taking.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(SQLException.class);
        }
    }

    @Test
    void aConnectionsOwnNetworkTimeoutHoldsIfItIsLonger() {
        Database.MARIADB.table("slow");
        try (HikariDataSource pool = Database.pool(1, Database.MARIADB.url() + "&socketTimeout=60000")) {
            GroupCommit commits = new GroupCommit(pool, options(1, Duration.ofMillis(500)));
            RowStatement insert =
                    RowStatement.of("INSERT INTO slow (text) SELECT ? FROM (SELECT SLEEP(2)) AS time_that_passes");
            assertThat(commits.submit(insert, "a").join().updateCount()).isEqualTo(1);
        }
    }

    @Test
    void statementsOfABatchAreAnsweredOneByOne() {
        Database.MARIADB.table("slow");
        for (int row = 0; row < 10; row++) {
            Database.MARIADB.execute("INSERT INTO slow (id, text) VALUES (" + (row + 1) + ", '" + row + "')");
        }
        try (HikariDataSource pool = Database.MARIADB.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, options(10, Duration.ofSeconds(1)));
            RowStatement update =
                    RowStatement.of("UPDATE slow SET text = CONCAT('new ', text) WHERE id = ? AND SLEEP(0.2) = 0");
            List<CompletableFuture<RowOutcome>> updates = IntStream.range(0, 10)
                    .mapToObj(row -> commits.submit(update, row + 1L))
                    .toList();
            assertThat(updates.stream().map(row -> row.join().updateCount()))
                    .hasSize(10)
                    .containsOnly(1);
        }
    }
}
