package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.connection.BatchConnections;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two instances that update the same rows are not in each other's way, and no deadlock reaches a caller. */
class LockOrderTests {

    private static final int GOODS = 50;

    private static void createStock(Database database) {
        MergedUpdatesTests.stock(
                database, IntStream.generate(() -> 1_000_000).limit(GOODS).toArray());
    }

    /** A writer of one instance: takes 1 of a row of the stock. */
    private interface Instance {

        CompletableFuture<?> take(long goodsId);
    }

    private static Instance merging(HikariDataSource pool) {
        MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, MergedUpdatesTests.deduction());
        return goodsId -> stock.submit(goodsId, 1);
    }

    private static Instance updating(WatchedDataSource pool, boolean ordered) {
        GroupCommit commits =
                new GroupCommit(pool, WriteOptions.builder().maxBatchSize(100).build());
        RowStatement update = RowStatement.of("UPDATE stock SET balance = balance - ? WHERE goods_id = ?");
        RowStatement statement = ordered ? update.lockOrder(2) : update;
        return goodsId -> commits.submit(statement, 1, goodsId);
    }

    /** Has two instances take 1 of random rows, many times. */
    private static void takeOfRandomRows(Database database, Instance one, Instance other) throws Exception {
        createStock(database);
        long seed = System.nanoTime();
        List<WriteResult<Integer>> instances = SimultaneousCallers.all(2, instance -> () -> {
            Random random = new Random(seed + instance);
            Instance writer = instance == 0 ? one : other;
            for (int round = 0; round < 40; round++) {
                List<CompletableFuture<?>> writes = new ArrayList<>();
                for (int write = 0; write < 100; write++) {
                    writes.add(writer.take(1 + random.nextInt(GOODS)));
                }
                writes.forEach(CompletableFuture::join);
            }
            return 40 * 100;
        });
        assertThat(instances)
                .as("seed %s", seed)
                .allSatisfy(instance -> assertThat(instance.failure()).isNull());
        assertThat(database.query("SELECT SUM(balance) FROM stock"))
                .containsExactly(String.valueOf(1_000_000 * GOODS - 2 * 40 * 100));
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void twoInstancesOfMergedUpdatesHaveNoDeadlock(Database database) throws Exception {
        try (HikariDataSource one = database.pool(1);
                HikariDataSource other = database.pool(1)) {
            long before = deadlocks(database);
            takeOfRandomRows(database, merging(one), merging(other));
            assertThat(deadlocks(database) - before).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void twoInstancesOfGroupCommitsWithALockOrderHaveNoDeadlock(Database database) throws Exception {
        try (WatchedDataSource one = new WatchedDataSource(database.pool(1));
                WatchedDataSource other = new WatchedDataSource(database.pool(1))) {
            long before = deadlocks(database);
            takeOfRandomRows(database, updating(one, true), updating(other, true));
            assertThat(deadlocks(database) - before).isZero();
        }
    }

    private static long deadlocks(Database database) {
        return Long.parseLong(database.query(
                        database == Database.POSTGRESQL
                                ? "SELECT SUM(deadlocks) FROM pg_stat_database"
                                : "SELECT COUNT FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'")
                .get(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void noDeadlockReachesACallerWhoseRowsHaveNoOrder(Database database) throws Exception {
        String url = database == Database.POSTGRESQL
                ? database.url() + "&options=-c%20deadlock_timeout=10ms"
                : database.url();
        try (WatchedDataSource one = new WatchedDataSource(Database.pool(1, url));
                WatchedDataSource other = new WatchedDataSource(Database.pool(1, url))) {
            takeOfRandomRows(database, updating(one, false), updating(other, false));
        }
    }

    @Test
    void aRetryPausesAtRandomAndWithoutAConnection() throws Exception {
        createStock(Database.H2);
        List<Integer> pauses = new ArrayList<>();
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(1));
                BatchConnections connections = BatchConnections.of(watched)) {
            AtomicInteger failures = new AtomicInteger(2);
            watched.after = step -> {
                if (step.equals("executeBatch") && failures.getAndDecrement() > 0) {
                    throw new SQLTransactionRollbackException("said to be a deadlock", "40001");
                }
            };
            BatchWriter writer = new BatchWriter(WriteOptions.defaults(), retry -> {
                assertThat(watched.steps("close").size())
                        .isEqualTo(2 * watched.steps("getConnection").size());
                pauses.add(retry);
            });
            List<WriteResult<RowOutcome>> outcomes = writer.write(
                    connections,
                    RowStatement.of("UPDATE stock SET balance = balance - 1 WHERE goods_id = ?"),
                    List.of(new Row(ParameterSetter.of(1L)), new Row(ParameterSetter.of(2L))));
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.failure()).isNull());
            assertThat(pauses).containsExactly(0, 1);
        }
    }

    /** A value that cannot be compared with another one. */
    private static final class Incomparable implements Comparable<Incomparable> {

        @Override
        public int compareTo(Incomparable other) {
            throw new IllegalStateException("mine");
        }
    }

    static Stream<Arguments> orders() {
        record Point(int x) {}
        return Stream.of(
                Arguments.of(Arrays.asList(3L, 1L, 2L), List.of(1, 2, 0)),
                Arguments.of(Arrays.asList("b", null, "a", "b"), List.of(1, 2, 0, 3)),
                // Of no order of their own, or of several types: by their text.
                Arguments.of(Arrays.asList(new Point(2), new Point(1)), List.of(1, 0)),
                Arguments.of(Arrays.asList("a", 1L), List.of(1, 0)),
                // A whole number is the same row's, whichever type it has.
                Arguments.of(Arrays.asList(7L, 7), List.of(0, 1)),
                Arguments.of(Arrays.asList(8L, 7, (short) 6), List.of(2, 1, 0)),
                // Without an order, as the rows were handed in.
                Arguments.of(Arrays.asList(new Incomparable(), new Incomparable()), List.of(0, 1)));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void rowsAreOrderedByValueAndElseBySubmission(List<Object> values, List<Integer> order) {
        List<Row> rows = values.stream()
                .map(value -> new Row(ParameterSetter.of("other", value)))
                .toList();
        assertThat(LockOrder.of(rows, List.of(2))).isEqualTo(order);
        assertThat(LockOrder.of(rows, List.of(1))).isSorted();
        assertThat(LockOrder.of(rows, List.of(3))).isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfTheSameKeyStayInOrderOfSubmissionAndGetTheirOwnOutcomes(Database database) {
        createStock(database);
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(4));
            RowStatement set = RowStatement.of("UPDATE stock SET balance = ? WHERE goods_id = ?")
                    .lockOrder(2);
            List<CompletableFuture<RowOutcome>> writes = List.of(
                    commits.submit(set, 1, 9L),
                    commits.submit(set, 2, 3L),
                    commits.submit(set, 3, 999L),
                    commits.submit(set, 4, 3L));
            assertThat(writes.stream().map(write -> write.join().updateCount())).containsExactly(1, 1, 0, 1);
            assertThat(database.query("SELECT balance FROM stock WHERE goods_id IN (3, 9) ORDER BY goods_id"))
                    .containsExactly("4", "1");
        }
    }
}
