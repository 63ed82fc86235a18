package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who leaves a batch that has started, but has no connection, knows that nothing is written, and the others get their own. */
class WaitingForAConnectionTests {

    private static final RowStatement INSERT =
            RowStatement.of("INSERT INTO connected (text) VALUES (?)").generatedKeys("id");

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private WatchedDataSource watched;

    /** A pool of one connection, which nobody gets before the test says so. */
    private WatchedDataSource connectionsOf(Database database) {
        watched = new WatchedDataSource(database.pool(1));
        watched.before = step -> {
            if (step.equals("getConnection")) {
                waiting.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        return watched;
    }

    @AfterEach
    void close() {
        watched.close();
    }

    /** A caller that waits in its call, and can be interrupted. */
    private static final class Waiting<V> {

        private final AtomicReference<Thread> thread = new AtomicReference<>();
        private final FutureTask<V> call;

        Waiting(Callable<V> call) {
            this.call = SimultaneousCallers.start(() -> {
                thread.set(Thread.currentThread());
                return call.call();
            });
            Eventually.until(() -> thread.get() != null && thread.get().getState() == Thread.State.WAITING);
        }

        Throwable interrupt() throws Exception {
            thread.get().interrupt();
            return SimultaneousCallers.outcome(call).failure();
        }
    }

    static Stream<Arguments> placesInTheBatch() {
        return Stream.of(Database.values())
                .flatMap(database -> Stream.of(0, 1, 2).map(place -> Arguments.of(database, place)));
    }

    @ParameterizedTest
    @MethodSource("placesInTheBatch")
    void theRowOfACallerThatLeavesIsNotWrittenAndTheOthersGetTheirOwnKeys(Database database, int place)
            throws Exception {
        database.table("connected");
        GroupCommit commits = new GroupCommit(connectionsOf(database), GroupCommitTests.full(3));
        CompletableFuture<RowOutcome> first = place > 0 ? commits.submit(INSERT, "first") : null;
        CompletableFuture<RowOutcome> second = place > 1 ? commits.submit(INSERT, "second") : null;
        Waiting<RowOutcome> leaving = new Waiting<>(() -> commits.execute(INSERT, "leaving"));
        first = first == null ? commits.submit(INSERT, "first") : first;
        second = second == null ? commits.submit(INSERT, "second") : second;
        waiting.await();
        assertThat(leaving.interrupt()).isInstanceOf(InterruptedException.class);
        goOn.countDown();
        assertThat(textOf(database, first)).containsExactly("first");
        assertThat(textOf(database, second)).containsExactly("second");
        assertThat(database.query("SELECT text FROM connected ORDER BY id")).containsExactly("first", "second");
    }

    private static List<String> textOf(Database database, CompletableFuture<RowOutcome> row) {
        return database.query(
                "SELECT text FROM connected WHERE id = " + row.join().generatedKey());
    }

    @ParameterizedTest
    @EnumSource
    void thePartOfACallerThatLeavesIsNotTakenAndTheOthersAre(Database database) throws Exception {
        MergedUpdatesTests.stock(database, 2);
        MergedUpdates<Long, Integer> stock =
                new MergedUpdates<>(connectionsOf(database), MergedUpdatesTests.deduction(), GroupCommitTests.full(4));
        CompletableFuture<Boolean> first = stock.submit(1L, 1);
        Waiting<Boolean> leaving = new Waiting<>(() -> stock.execute(1L, 1));
        CompletableFuture<Boolean> tooMuch = stock.submit(1L, 2);
        CompletableFuture<Boolean> last = stock.submit(1L, 1);
        waiting.await();
        assertThat(leaving.interrupt()).isInstanceOf(InterruptedException.class);
        goOn.countDown();
        assertThat(Stream.of(first, tooMuch, last).map(CompletableFuture::join)).containsExactly(true, false, true);
        assertThat(database.query("SELECT balance FROM stock")).containsExactly("0");
    }

    @Test
    void aBatchThatAllHaveLeftIsNotWrittenAndGivesItsConnectionBack() throws Exception {
        Database.H2.table("connected");
        GroupCommit commits = new GroupCommit(connectionsOf(Database.H2));
        Waiting<RowOutcome> leaving = new Waiting<>(() -> commits.execute(INSERT, "leaving"));
        waiting.await();
        assertThat(leaving.interrupt()).isInstanceOf(InterruptedException.class);
        goOn.countDown();
        assertThat(commits.execute(INSERT, "next").updateCount()).isEqualTo(1);
        assertThat(watched.steps("prepareStatement")).hasSize(1);
        assertThat(Database.H2.query("SELECT text FROM connected")).containsExactly("next");
    }

    @Test
    void aCallerWhoseTimePassesKnowsThatNothingIsWritten() throws Exception {
        Database.H2.table("connected");
        GroupCommit commits = new GroupCommit(
                connectionsOf(Database.H2),
                WriteOptions.builder().callTimeout(Duration.ofMillis(50)).build());
        assertThatThrownBy(() -> commits.execute(INSERT, "late"))
                .isInstanceOf(SQLTimeoutException.class)
                .hasMessageContaining("callTimeout = 50 ms");
        goOn.countDown();
        commits.close();
        assertThat(watched.steps("prepareStatement")).isEmpty();
        assertThat(Database.H2.query("SELECT text FROM connected")).isEmpty();
    }

    @Test
    void aCallerThatWaitsInVainGetsTheFailureOfTheDataSource() throws Exception {
        watched = new WatchedDataSource(Database.H2.pool(1));
        SQLException exhausted = new SQLTransientConnectionException("no connection within 30 s");
        watched.before = step -> {
            throw exhausted;
        };
        GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(2));
        FutureTask<RowOutcome> first = SimultaneousCallers.start(() -> commits.execute(INSERT, "first"));
        FutureTask<RowOutcome> second = SimultaneousCallers.start(() -> commits.execute(INSERT, "second"));
        assertThat(SimultaneousCallers.outcome(first).failure()).isSameAs(exhausted);
        assertThat(SimultaneousCallers.outcome(second).failure()).isSameAs(exhausted);
    }
}
