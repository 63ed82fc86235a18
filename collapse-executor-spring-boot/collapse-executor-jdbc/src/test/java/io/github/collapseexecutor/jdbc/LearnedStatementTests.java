package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a batch costs is never much more than its rows one by one, and what a writer learned it does not pay for again. */
class LearnedStatementTests {

    private static final String[] ROUND_TRIPS = {
        "executeBatch", "executeUpdate", "execute", "setSavepoint", "rollback", "commit"
    };

    /** Upserts of which a driver does not say what became of each row if it merges them. */
    static Stream<Arguments> mergedUpserts() {
        String onConflict = "INSERT INTO learned (id, balance) VALUES (?, 1)"
                + " ON CONFLICT (id) DO UPDATE SET balance = learned.balance + 1";
        String onDuplicate =
                "INSERT INTO learned (id, balance) VALUES (?, 1) ON DUPLICATE KEY UPDATE balance = balance + 1";
        return Stream.of(
                Arguments.of(
                        Database.POSTGRESQL, Database.POSTGRESQL.url() + "&reWriteBatchedInserts=true", onConflict),
                Arguments.of(Database.MARIADB, Database.MARIADB.url() + "&useBulkStmts=true", onDuplicate),
                Arguments.of(Database.MARIADB, Database.MARIADB.url(), onDuplicate));
    }

    private static void createTable(Database database) {
        database.execute("DROP TABLE IF EXISTS learned", "CREATE TABLE learned (id BIGINT PRIMARY KEY, balance INT)");
    }

    /** Has a batch of rows written, and returns how many round trips that took. */
    private static int roundTrips(WatchedDataSource watched, Runnable batch) {
        int before = watched.steps(ROUND_TRIPS).size();
        batch.run();
        return watched.steps(ROUND_TRIPS).size() - before;
    }

    @ParameterizedTest
    @MethodSource("mergedUpserts")
    void aBatchWhoseCountsTheDriverLosesIsSentUnmergedFromThenOn(Database database, String url, String upsert) {
        createTable(database);
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, url))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(50));
            RowStatement statement = RowStatement.of(upsert);
            Runnable batch = () -> assertThat(IntStream.range(0, 50)
                            .mapToObj(row -> commits.submit(statement, (long) row % 40))
                            .toList())
                    .allSatisfy(write -> assertThat(write.join().updateCount()).isPositive());
            batch.run();
            assertThat(roundTrips(watched, batch)).isEqualTo(2);
            assertThat(database.query("SELECT SUM(balance) FROM learned")).containsExactly("100");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBatchOfBadRowsCostsLittleMoreThanItsRowsOneByOne(Database database) {
        createTable(database);
        database.execute("INSERT INTO learned VALUES (7, 1)");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(100));
            RowStatement insert = RowStatement.of("INSERT INTO learned (id, balance) VALUES (?, 1)");
            Runnable bad = () -> assertThat(IntStream.range(0, 100)
                            .mapToObj(row -> commits.submit(insert, 7L))
                            .toList())
                    .allSatisfy(write -> assertThatThrownBy(write::join).hasCauseInstanceOf(SQLException.class));
            assertThat(roundTrips(watched, bad)).isLessThanOrEqualTo(100 + 40);
            assertThat(roundTrips(watched, bad)).isEqualTo(100);
            // With the first good row, batches pay again.
            List<CompletableFuture<RowOutcome>> good = new ArrayList<>();
            assertThat(roundTrips(watched, () -> {
                        IntStream.range(100, 200).forEach(row -> good.add(commits.submit(insert, (long) row)));
                        good.forEach(CompletableFuture::join);
                    }))
                    .isEqualTo(3);
            assertThat(database.query("SELECT COUNT(*) FROM learned")).containsExactly("101");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofABatchOfManyBadRowsEachRowHasItsOwnOutcome(Database database) {
        createTable(database);
        database.execute("INSERT INTO learned VALUES (7, 1)");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(60));
            RowStatement insert = RowStatement.of("INSERT INTO learned (id, balance) VALUES (?, 1)");
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 60)
                    .mapToObj(row -> commits.submit(insert, row % 9 == 8 ? 1_000L + row : 7L))
                    .toList();
            for (int row = 0; row < 60; row++) {
                CompletableFuture<RowOutcome> write = writes.get(row);
                if (row % 9 == 8) {
                    assertThat(write.join().updateCount()).isEqualTo(1);
                } else {
                    assertThatThrownBy(write::join).hasCauseInstanceOf(SQLException.class);
                }
            }
            assertThat(database.query("SELECT COUNT(*) FROM learned")).containsExactly("7");
        }
    }

    @Test
    void theStatementsThatWereUsedLastAreRemembered() {
        Map<RowStatement, LearnedStatement> memory = LearnedStatement.memory();
        RowStatement first = RowStatement.of("INSERT 0");
        for (int index = 0; index < 1000; index++) {
            memory.computeIfAbsent(
                    RowStatement.of("INSERT " + index), key -> new LearnedStatement(key.sql(), true, false));
            assertThat(memory.get(first)).isNotNull();
        }
        assertThat(memory).hasSize(256).doesNotContainKey(RowStatement.of("INSERT 1"));
    }
}
