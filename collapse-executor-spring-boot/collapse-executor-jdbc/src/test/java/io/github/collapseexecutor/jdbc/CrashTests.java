package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in the database after it was killed under load is what its callers were told. */
class CrashTests {

    private static final int KILLS = Integer.getInteger("write.kills", 1);

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void everyAcknowledgedRowIsThereOnceAndNoneThatFailed(Database database) throws Exception {
        // No unique column: nothing but the writer keeps a row from being there twice.
        database.execute("DROP TABLE IF EXISTS crashed", "CREATE TABLE crashed (text VARCHAR(20) NOT NULL)");
        RowStatement insert = RowStatement.of("INSERT INTO crashed (text) VALUES (?)");
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        Set<String> failed = ConcurrentHashMap.newKeySet();
        Set<String> unknown = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        try (HikariDataSource pool = database.pool(4)) {
            GroupCommit commits = new GroupCommit(
                    pool, WriteOptions.builder().maxConcurrentBatches(2).build());
            List<FutureTask<Void>> callers = IntStream.range(0, 32)
                    .mapToObj(caller -> SimultaneousCallers.<Void>start(() -> {
                        for (int row = 0; !over.get(); row++) {
                            String text = caller + "-" + row;
                            try {
                                commits.execute(insert, text);
                                acknowledged.add(text);
                            } catch (OutcomeUnknownException e) {
                                unknown.add(text);
                            } catch (Exception e) {
                                failed.add(text);
                            }
                        }
                        return null;
                    }))
                    .toList();
            Eventually.until(() -> acknowledged.size() > 500);
            for (int kill = 0; kill < KILLS; kill++) {
                database.process().killAndRestart();
                int before = acknowledged.size();
                Eventually.until(() -> acknowledged.size() > before + 500);
            }
            over.set(true);
            for (FutureTask<Void> caller : callers) {
                assertThat(SimultaneousCallers.outcome(caller).failure()).isNull();
            }
        }
        List<String> rows = database.query("SELECT text FROM crashed");
        System.out.printf(
                "%s: %d kills, %d rows acknowledged, %d failed, %d unknown, %d in the table%n",
                database, KILLS, acknowledged.size(), failed.size(), unknown.size(), rows.size());
        assertThat(rows)
                .doesNotHaveDuplicates()
                .containsAll(acknowledged)
                .doesNotContainAnyElementsOf(failed.isEmpty() ? Set.of("none") : failed);
        assertThat(rows)
                .allSatisfy(row -> assertThat(acknowledged.contains(row) || unknown.contains(row))
                        .isTrue());
    }
}
