package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told of rows and commits is what the database did. */
class WriteListenerTests {

    private static final MergedUpdate<Long, Integer> DEDUCT = MergedUpdate.of(
            "UPDATE stock SET balance = balance - ? WHERE goods_id = ? AND balance >= ?",
            (statement, goodsId, count) -> {
                statement.setInt(1, count);
                statement.setLong(2, goodsId);
                statement.setInt(3, count);
            },
            Integer::sum);

    private final List<WriteSummary> told = new CopyOnWriteArrayList<>();

    private WriteOptions full(int rows) {
        return WriteOptions.builder()
                .name("notes")
                .maxBatchSize(rows)
                .collectingWaitTime(java.time.Duration.ofMinutes(10))
                .writeListener(told::add)
                .build();
    }

    private static RowStatement insertInto(String table) {
        return RowStatement.of("INSERT INTO " + table + " (text) VALUES (?)");
    }

    private static void await(Stream<? extends CompletableFuture<?>> futures) {
        for (CompletableFuture<?> future : futures.toList()) {
            assertThat(future)
                    .satisfiesAnyOf(
                            answered -> assertThat(answered).succeedsWithin(2, TimeUnit.MINUTES),
                            failed -> assertThat(failed)
                                    .failsWithin(2, TimeUnit.MINUTES)
                                    .withThrowableOfType(ExecutionException.class));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBatchIsOneCommitAndARowThatIsRefusedIsNotWritten(Database database) {
        String table = database.table("told");
        database.execute("INSERT INTO told (text) VALUES ('taken')");
        try (HikariDataSource pool = database.pool(2)) {
            GroupCommit commits = new GroupCommit(pool, full(4));
            await(Stream.of("a", "taken", "c", "d").map(text -> commits.submit(insertInto(table), text)));
        }
        assertThat(told).containsExactly(new WriteSummary("notes", 3, 0, 1, 0, 1, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void aLoneRowIsACommitOfItsOwnAndNoneIfItIsRefused(Database database) throws Exception {
        String table = database.table("told");
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(
                    pool, WriteOptions.builder().writeListener(told::add).build());
            assertThat(commits.execute(insertInto(table), "a").updateCount()).isEqualTo(1);
            assertThatThrownBy(() -> commits.execute(insertInto(table), "a")).isInstanceOf(SQLException.class);
        }
        assertThat(told)
                .containsExactly(
                        new WriteSummary("group-commit", 1, 0, 0, 0, 1, 0, 0),
                        new WriteSummary("group-commit", 0, 0, 1, 0, 0, 0, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aCommitWhoseAnswerIsLostIsUnknown(Database database) throws Exception {
        String table = database.table("told");
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            GroupCommit commits = new GroupCommit(pool, full(2));
            path.breakAt(database == Database.MARIADB ? "set autocommit=1" : "COMMIT", true);
            await(Stream.of("a", "b").map(text -> commits.submit(insertInto(table), text)));
        }
        assertThat(told).containsExactly(new WriteSummary("notes", 0, 0, 0, 2, 0, 1, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aBatchThatIsWrittenOnceMoreIsARollbackAndACommit(Database database) throws Exception {
        String table = database.table("told");
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            GroupCommit commits = new GroupCommit(pool, full(2));
            path.breakAt("INSERT INTO told", false);
            await(Stream.of("a", "b").map(text -> commits.submit(insertInto(table), text)));
        }
        assertThat(told).containsExactly(new WriteSummary("notes", 2, 0, 0, 0, 1, 0, 1));
    }

    @Test
    void aMergedUpdateWhoseConditionDoesNotHoldIsUnchanged() {
        MergedUpdatesTests.stock(Database.H2, 7);
        try (HikariDataSource pool = Database.H2.pool(1)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, DEDUCT, full(10));
            await(Stream.generate(() -> stock.submit(1L, 1)).limit(10));
        }
        assertThat(told).singleElement().satisfies(batch -> {
            assertThat(batch.written()).isEqualTo(7);
            assertThat(batch.unchanged()).isEqualTo(3);
            assertThat(batch.failed() + batch.unknown()).isZero();
        });
    }

    @Test
    void rowsForWhichThereIsNoConnectionAreNotWritten() {
        HikariDataSource closed = Database.H2.pool(1);
        closed.close();
        GroupCommit commits = new GroupCommit(closed, full(3));
        await(Stream.of("a", "b", "c").map(text -> commits.submit(insertInto("told"), text)));
        assertThat(told).containsExactly(new WriteSummary("notes", 0, 0, 3, 0, 0, 0, 0));
    }

    @Test
    void aListenerThatFailsKeepsNobodyFromTheAnswer() throws Exception {
        String table = Database.H2.table("told");
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));
        try (HikariDataSource pool = Database.H2.pool(1)) {
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .writeListener(batch -> {
                                throw new IllegalStateException("by the listener");
                            })
                            .build());
            assertThat(commits.execute(insertInto(table), "a").updateCount()).isEqualTo(1);
            assertThat(uncaught.get()).hasMessage("by the listener");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** What a {@code CollapseListener} costs, this one does not: see {@link WriterThreadsTests}. */
    @Test
    void theThreadThatHasWrittenABatchGoesOnWithTheNext() throws Exception {
        String table = Database.H2.table("told");
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Thread> writers = new CopyOnWriteArrayList<>();
        try (HikariDataSource pool = Database.H2.pool(2)) {
            GroupCommit commits = new GroupCommit(
                    pool,
                    WriteOptions.builder()
                            .writeListener(batch -> writers.add(Thread.currentThread()))
                            .build());
            ParameterSetter held = statement -> {
                statement.setString(1, "held");
                writing.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
            var first = SimultaneousCallers.start(() -> commits.execute(insertInto(table), held));
            writing.await();
            CompletableFuture<RowOutcome> next = commits.submit(insertInto(table), "next");
            goOn.countDown();
            assertThat(SimultaneousCallers.outcome(first).value().updateCount()).isEqualTo(1);
            assertThat(next.get(2, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
        }
        assertThat(writers).hasSize(2);
        assertThat(writers.get(1)).isSameAs(writers.get(0));
    }
}
