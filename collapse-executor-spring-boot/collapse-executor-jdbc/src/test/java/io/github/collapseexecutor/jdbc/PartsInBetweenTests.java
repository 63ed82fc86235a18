package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.shardingsphere.ShardedDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of others between a writer and the driver. */
class PartsInBetweenTests {

    /** ShardingSphere commits in one database after the other, and tells the keys of a batch database by database. */
    @ParameterizedTest
    @EnumSource
    void rowsThatMayGoToSeveralDatabasesAreWrittenOneByOne(Database database) {
        database.table("spread");
        RowStatement insert =
                RowStatement.of("INSERT INTO spread (text) VALUES (?)").generatedKeys("id");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1));
                HikariDataSource pool = pool(new ShardedDataSource(watched))) {
            int first = 0;
            for (DataSource dataSource : List.of(new ShardedDataSource(watched), pool)) {
                GroupCommit commits = new GroupCommit(
                        dataSource,
                        GroupCommitTests.full(4).toBuilder()
                                .commitInStatement(true)
                                .build());
                List<String> texts = List.of("a" + first, "longer than twenty characters", "b" + first, "c" + first);
                List<CompletableFuture<RowOutcome>> writes =
                        texts.stream().map(text -> commits.submit(insert, text)).toList();
                assertThatThrownBy(writes.get(1)::join).hasCauseInstanceOf(SQLException.class);
                for (int row : List.of(0, 2, 3)) {
                    assertThat(database.query("SELECT text FROM spread WHERE id = "
                                    + writes.get(row).join().generatedKey()))
                            .containsExactly(texts.get(row));
                }
                first++;
            }
            assertThat(watched.steps("addBatch", "commit")).isEmpty();
        }
    }

    /** A batch that fails could not be taken back from a table without transactions. */
    @Test
    void rowsAreWrittenOneByOneIfAPartDoesNotUnderstandTheQueryOfTheCatalogue() {
        Database.MARIADB.execute(
                "DROP TABLE IF EXISTS unreadable", "CREATE TABLE unreadable (text CHAR(9) UNIQUE) ENGINE = MyISAM");
        AtomicBoolean isOfTheCatalogue = new AtomicBoolean(true);
        try (WatchedDataSource watched = new WatchedDataSource(Database.MARIADB.pool(1))) {
            watched.before = step -> {
                if (step.equals("prepareStatement") && isOfTheCatalogue.getAndSet(false)) {
                    throw new SQLException("not understood");
                }
            };
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(3));
            RowStatement insert = RowStatement.of("INSERT INTO unreadable VALUES (?)");
            List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "a", "b")
                    .map(text -> commits.submit(insert, text))
                    .toList();
            assertThatThrownBy(writes.get(1)::join).hasCauseInstanceOf(SQLException.class);
            assertThat(writes.get(0).join().updateCount()).isEqualTo(1);
            assertThat(writes.get(2).join().updateCount()).isEqualTo(1);
        }
        assertThat(Database.MARIADB.query("SELECT text FROM unreadable ORDER BY text"))
                .containsExactly("a", "b");
    }

    @ParameterizedTest
    @EnumSource
    void eachRowIsTheCallersOwnThoughAPartKeepsTheRowsOfABatch(Database database) {
        database.table("kept_rows");
        RowStatement insert =
                RowStatement.of("INSERT INTO kept_rows (text) VALUES (?)").generatedKeys("id");
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(new BatchKeepingDataSource(pool), GroupCommitTests.full(4));
            List<String> texts = List.of("a", "b", "longer than twenty characters", "c");
            List<CompletableFuture<RowOutcome>> writes =
                    texts.stream().map(text -> commits.submit(insert, text)).toList();
            assertThatThrownBy(writes.get(2)::join).hasCauseInstanceOf(SQLException.class);
            for (int row : List.of(0, 1, 3)) {
                assertThat(database.query("SELECT text FROM kept_rows WHERE id = "
                                + writes.get(row).join().generatedKey()))
                        .containsExactly(texts.get(row));
            }
        }
    }

    /** Druid's firewall does not know all that PostgreSQL does. */
    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void aBatchIsWrittenThoughAPartDoesNotUnderstandTheStatementOfManyRows(Database database) {
        database.table("many_not_understood");
        AtomicInteger prepared = new AtomicInteger();
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            watched.before = step -> {
                if (step.equals("prepareStatement") && prepared.incrementAndGet() == 2) { // behind the catalogue's
                    throw new SQLException("not understood");
                }
            };
            GroupCommit commits = new GroupCommit(
                    watched,
                    GroupCommitTests.full(3).toBuilder().commitInStatement(true).build());
            RowStatement insert = RowStatement.of("INSERT INTO many_not_understood (text) VALUES (?)");
            List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", "c")
                    .map(text -> commits.submit(insert, text))
                    .toList();
            assertThat(writes.stream().map(write -> write.join().updateCount())).containsExactly(1, 1, 1);
            assertThat(watched.steps("commit")).hasSize(1);
        }
        assertThat(database.query("SELECT text FROM many_not_understood ORDER BY text"))
                .containsExactly("a", "b", "c");
    }

    /** DBCP 1 is older than {@link java.sql.Connection#abort}. */
    @ParameterizedTest
    @EnumSource
    void committedRowsAreToldThoughAConnectionIsLostThenWhosePoolCannotAbort(Database database) {
        database.table("not_aborted");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            AtomicBoolean isLost = new AtomicBoolean();
            watched.after = step -> isLost.compareAndSet(false, step.equals("commit"));
            watched.before = step -> {
                if (step.equals("abort")) {
                    throw new AbstractMethodError("abort");
                }
                if (step.equals("getConnection")) {
                    isLost.set(false);
                } else if (isLost.get() && step.equals("getAutoCommit")) {
                    throw new SQLException("lost", "08006");
                }
            };
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(2));
            RowStatement insert = RowStatement.of("INSERT INTO not_aborted (text) VALUES (?)");
            for (String batch : List.of("a", "b")) { // the second one over the only connection of the pool
                List<CompletableFuture<RowOutcome>> writes = Stream.of(batch + 1, batch + 2)
                        .map(text -> commits.submit(insert, text))
                        .toList();
                assertThat(writes.stream().map(write -> write.join().updateCount()))
                        .containsExactly(1, 1);
            }
            assertThat(watched.steps("abort")).isNotEmpty();
        }
        assertThat(database.query("SELECT text FROM not_aborted ORDER BY text"))
                .containsExactly("a1", "a2", "b1", "b2");
    }

    private static HikariDataSource pool(DataSource dataSource) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(1);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** A part that reads the text of each statement may understand those of an application only. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aBatchIsWrittenThoughAPartDoesNotUnderstandTheQueryOfTheCatalogue(Database database) {
        database.table("read_by_others");
        AtomicBoolean isOfTheCatalogue = new AtomicBoolean(true);
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            watched.before = step -> {
                if (step.equals("prepareStatement") && isOfTheCatalogue.getAndSet(false)) {
                    throw new IllegalArgumentException("not understood");
                }
            };
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(3));
            RowStatement insert = RowStatement.of("INSERT INTO read_by_others (text) VALUES (?)");
            List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", "c")
                    .map(text -> commits.submit(insert, text))
                    .toList();
            assertThat(writes.stream().map(write -> write.join().updateCount())).containsExactly(1, 1, 1);
            assertThat(isOfTheCatalogue).isFalse();
        }
        assertThat(database.query("SELECT text FROM read_by_others ORDER BY text"))
                .containsExactly("a", "b", "c");
    }
}
