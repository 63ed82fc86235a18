package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.shardingsphere.ShardedDataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

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

    /** Druid's firewall does not know all that PostgreSQL does. It is asked once: the batch is not taken apart, nor is the next one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchIsWrittenThoughAPartDoesNotUnderstandTheStatementOfManyRows(boolean commitInStatement) {
        Database database = Database.POSTGRESQL;
        database.table("many_not_understood");
        int statementOfManyRows = commitInStatement ? 2 : 3; // behind the catalogue's, and the one of a row
        AtomicInteger prepared = new AtomicInteger();
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            watched.before = step -> {
                if (step.equals("prepareStatement") && prepared.incrementAndGet() == statementOfManyRows) {
                    throw new SQLException("not understood");
                }
            };
            GroupCommit commits = new GroupCommit(
                    watched,
                    GroupCommitTests.full(3).toBuilder()
                            .commitInStatement(commitInStatement)
                            .build());
            RowStatement insert = RowStatement.of("INSERT INTO many_not_understood (text) VALUES (?)");
            for (String batch : List.of("a", "b")) {
                List<CompletableFuture<RowOutcome>> writes = Stream.of(batch + 1, batch + 2, batch + 3)
                        .map(text -> commits.submit(insert, text))
                        .toList();
                assertThat(writes.stream().map(write -> write.join().updateCount()))
                        .containsExactly(1, 1, 1);
            }
            assertThat(watched.steps("commit")).hasSize(2);
            assertThat(watched.steps("rollback", "setSavepoint")).isEmpty();
            assertThat(prepared).hasValue(4);
        }
        assertThat(database.query("SELECT text FROM many_not_understood ORDER BY text"))
                .containsExactly("a1", "a2", "a3", "b1", "b2", "b3");
    }

    /** As alone: a child that is written before its parent is refused. */
    @Test
    void constraintsAreCheckedForEachRowThoughAPartDoesNotUnderstandTheQueryOfTheCatalogue() {
        try (WatchedDataSource watched = new WatchedDataSource(Database.POSTGRESQL.pool(1))) {
            List<CompletableFuture<RowOutcome>> writes =
                    writeToDeferred(watched, "prepareStatement", "a", "child of b", "b", "child of a");
            assertThatThrownBy(writes.get(1)::join)
                    .hasCauseInstanceOf(SQLException.class)
                    .hasMessageContaining("foreign key");
            for (int row : List.of(0, 2, 3)) {
                assertThat(writes.get(row).join().updateCount()).isEqualTo(1);
            }
            assertThat(watched.steps("commit")).hasSize(1);
        }
        assertThat(Database.POSTGRESQL.query("SELECT text FROM deferred_unread ORDER BY text"))
                .containsExactly("a", "b", "child of a");
    }

    @Test
    void aBatchIsWrittenThoughAPartDoesNotUnderstandThatConstraintsAreToBeCheckedForEachRow() {
        try (WatchedDataSource watched = new WatchedDataSource(Database.POSTGRESQL.pool(1))) {
            List<CompletableFuture<RowOutcome>> writes =
                    writeToDeferred(watched, "createStatement", "a", "b", "child of b", "child of a");
            assertThat(writes.stream().map(write -> write.join().updateCount())).containsExactly(1, 1, 1, 1);
            assertThat(watched.steps("commit")).hasSize(1);
        }
    }

    /** Writes rows whose parents are looked at in the commit, one batch of them, of which the first step of a name is not understood. */
    private static List<CompletableFuture<RowOutcome>> writeToDeferred(
            WatchedDataSource watched, String notUnderstood, String... texts) {
        Database.POSTGRESQL.execute(
                "DROP TABLE IF EXISTS deferred_unread",
                "CREATE TABLE deferred_unread (text VARCHAR(20) PRIMARY KEY,"
                        + " parent VARCHAR(20) REFERENCES deferred_unread DEFERRABLE INITIALLY DEFERRED)");
        AtomicBoolean isFirst = new AtomicBoolean(true);
        watched.before = step -> {
            if (step.equals(notUnderstood) && isFirst.getAndSet(false)) {
                throw new IllegalArgumentException("not understood");
            }
        };
        GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(texts.length));
        RowStatement insert = RowStatement.of("INSERT INTO deferred_unread (text, parent) VALUES (?, ?)");
        List<CompletableFuture<RowOutcome>> writes = Stream.of(texts)
                .map(text -> commits.submit(
                        insert, text, text.startsWith("child of ") ? text.substring("child of ".length()) : null))
                .toList();
        writes.forEach(write -> Eventually.until(write::isDone));
        assertThat(isFirst).isFalse();
        return writes;
    }

    /** Two writers, or a writer and a template, would be in one transaction. */
    @Test
    void aDataSourceThatGivesAllThreadsOneConnectionIsRefused() {
        assertRefused(new SingleConnectionDataSource(Database.H2.url(), true), "one connection", "pool");
    }

    /** The writer's thread would be asked, which knows nothing of the callers. */
    @Test
    void aDataSourceThatAsksTheThreadWhichDatabaseIsMeantIsRefused() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return Thread.currentThread().getName();
            }
        };
        routing.setTargetDataSources(Map.of());
        routing.afterPropertiesSet();
        assertRefused(routing, "which database", "of one database");

        assertRefused(
                new ShardingKeyDataSourceAdapter(new DriverManagerDataSource(Database.H2.url())),
                "which database",
                "of one database");
    }

    private static void assertRefused(DataSource refused, String why, String remedy) {
        try (HikariDataSource pool = pool(refused)) {
            for (DataSource dataSource : List.of(
                    refused, new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(refused)), pool)) {
                for (ThrowingCallable creation : List.<ThrowingCallable>of(
                        () -> new GroupCommit(dataSource),
                        () -> new DatabaseSequences(dataSource),
                        () -> new SequenceTable(dataSource, "id_sequence", "name", "last_number"))) {
                    assertThatThrownBy(creation)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("dataSource")
                            .hasMessageContaining(dataSource.getClass().getName())
                            .hasMessageContaining(why)
                            .hasMessageContaining(remedy);
                }
            }
        }
    }

    /** Its answer takes a proxy, or a driver that goes through its own plugins, more time than a row does. */
    @ParameterizedTest
    @EnumSource
    void theDriverIsAskedOnceWhichDatabaseItIsOf(Database database) {
        database.table("asked_once");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(2));
            RowStatement insert = RowStatement.of("INSERT INTO asked_once (text) VALUES (?)");
            for (String batch : List.of("a", "b", "c")) {
                int before = watched.steps("getMetaData").size();
                List<CompletableFuture<RowOutcome>> writes = Stream.of(batch + 1, batch + 2)
                        .map(text -> commits.submit(insert, text))
                        .toList();
                assertThat(writes.stream().map(write -> write.join().updateCount()))
                        .containsExactly(1, 1);
                if (!batch.equals("a")) {
                    assertThat(watched.steps("getMetaData"))
                            .as("to see that the connection is connected")
                            .hasSize(before + 1);
                }
            }
        }
    }

    /** It says nothing of whether the database has acted. Pools such as c3p0 make an exception without a state of it. */
    @ParameterizedTest
    @EnumSource
    void rowsAreUnknownAndNotWrittenAgainIfAPartFailsBehindTheirCommit(Database database) {
        RowStatement insert = RowStatement.of("INSERT INTO failed_behind (text) VALUES (?)");
        for (boolean commitInStatement : List.of(true, false)) {
            for (int rows : List.of(1, 3)) {
                for (Exception failure : List.of(new IllegalStateException("a part's"), new SQLException("a part's"))) {
                    database.execute("DROP TABLE IF EXISTS failed_behind");
                    database.execute("CREATE TABLE failed_behind (text VARCHAR(20))");
                    try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
                        AtomicInteger behind = new AtomicInteger();
                        watched.after = step -> {
                            boolean isCommit = step.equals("commit")
                                    || (step.equals("execute")
                                            && (rows == 1
                                                    || watched.steps("commit").isEmpty()));
                            if (isCommit && behind.incrementAndGet() == 1) {
                                if (failure instanceof SQLException sql) {
                                    throw sql;
                                }
                                throw (RuntimeException) failure;
                            }
                        };
                        GroupCommit commits = new GroupCommit(
                                watched,
                                GroupCommitTests.full(rows).toBuilder()
                                        .commitInStatement(commitInStatement)
                                        .build());
                        List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "b", "c")
                                .limit(rows)
                                .map(text -> commits.submit(insert, text))
                                .toList();
                        assertThat(writes)
                                .allSatisfy(write -> assertThatThrownBy(write::join)
                                        .hasCauseInstanceOf(OutcomeUnknownException.class));
                    }
                    assertThat(database.query("SELECT text FROM failed_behind ORDER BY text"))
                            .as("%d rows, %s, %s", rows, commitInStatement, failure)
                            .containsExactlyElementsOf(List.of("a", "b", "c").subList(0, rows));
                }
            }
        }
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
