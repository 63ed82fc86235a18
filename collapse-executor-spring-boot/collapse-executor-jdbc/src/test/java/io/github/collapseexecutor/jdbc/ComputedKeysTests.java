package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MySQL's driver computes the generated keys of a batch that it rewrites: no caller is told such a key. */
class ComputedKeysTests {

    private static final String[] ROUND_TRIPS = {"execute", "executeBatch", "commit", "rollback"};

    /** @param ownId one of so many rows brings its id */
    @ParameterizedTest
    @CsvSource({"2, 2, 1", "30, 3, 1", "30, 100, 5"})
    void eachCallerIsToldTheIdOfItsOwnRow(int rows, int ownId, int increment) {
        Database.MARIADB.table("computed");
        String url = Database.mysqlDriversUrl()
                + "&rewriteBatchedStatements=true&sessionVariables=auto_increment_increment=" + increment;
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, url))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(rows));
            int first = write(commits, watched, 0, rows, ownId);
            int second = write(commits, watched, rows, 2 * rows, ownId);
            assertThat(second)
                    .as("a round trip for each row, and one for the commit")
                    .isEqualTo(rows + 1);
            assertThat(first).as("the same, and a batch that is rolled back").isEqualTo(rows + 3);
        }
    }

    /** Writes a batch and looks for each row by its key; returns the number of round trips. */
    private static int write(GroupCommit commits, WatchedDataSource watched, int from, int to, int ownId) {
        RowStatement insert =
                RowStatement.of("INSERT INTO computed (id, text) VALUES (?, ?)").generatedKeys("id");
        int before = watched.steps(ROUND_TRIPS).size();
        List<CompletableFuture<RowOutcome>> writes = IntStream.range(from, to)
                .mapToObj(row -> commits.submit(insert, row % ownId == 1 ? 1_000L * (row + 1) : null, "row " + row))
                .toList();
        List<Long> keys =
                writes.stream().map(write -> write.join().generatedKey()).toList();
        int roundTrips = watched.steps(ROUND_TRIPS).size() - before;
        for (int row = from; row < to; row++) {
            assertThat(Database.MARIADB.query("SELECT text FROM computed WHERE id = " + keys.get(row - from)))
                    .containsExactly("row " + row);
        }
        return roundTrips;
    }
}
