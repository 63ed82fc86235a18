package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it costs to find the bad rows of a batch, in round trips to the database. */
class IsolationTests {

    /** The calls for which a driver asks the database and waits. */
    private static final String[] ROUND_TRIPS = {
        "executeBatch", "executeUpdate", "execute", "setSavepoint", "rollback", "commit"
    };

    @ParameterizedTest
    @CsvSource({
        "H2,0",
        "MARIADB,0",
        "POSTGRESQL,0",
        "H2,1",
        "MARIADB,1",
        "POSTGRESQL,1",
        "H2,3",
        "MARIADB,3",
        "POSTGRESQL,3"
    })
    void roundTripsGrowWithTheBadRowsAndHardlyWithTheBatch(Database database, int bad) {
        String table = database.table("isolated");
        database.execute("INSERT INTO isolated (text) VALUES ('taken')");
        Set<Integer> poison =
                IntStream.range(0, bad).mapToObj(index -> 20 + 70 * index).collect(Collectors.toSet());
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(200));
            RowStatement insert = RowStatement.of("INSERT INTO " + table + " (text) VALUES (?)");
            List<CompletableFuture<RowOutcome>> futures = IntStream.range(0, 200)
                    .mapToObj(row -> commits.submit(insert, poison.contains(row) ? "taken" : "row " + row))
                    .toList();
            for (int row = 0; row < 200; row++) {
                CompletableFuture<Object> failure = futures.get(row).handle((outcome, thrown) -> thrown);
                assertThat(failure.join() instanceof SQLException).isEqualTo(poison.contains(row));
            }
            assertThat(watched.steps("commit")).hasSize(1);
            // Only H2 says which statements of a batch failed; the others' batches are halved again and again.
            assertThat(watched.steps(ROUND_TRIPS))
                    .hasSizeLessThanOrEqualTo(2 + (database == Database.H2 ? 6 : 26) * bad);
        }
    }
}
