package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller that leaves is told what is certain about its row, and takes nobody else's with it. */
@OnEachJdk
class LeavingTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO left_behind (text) VALUES (?)");

    static Stream<Arguments> steps() {
        return Stream.of(Database.values())
                .flatMap(database -> (database == Database.POSTGRESQL
                                ? Stream.of("setAutoCommit", "prepareStatement", "executeUpdate", "commit", "close")
                                : Stream.of(
                                        "setAutoCommit",
                                        "prepareStatement",
                                        "addBatch",
                                        "executeBatch",
                                        "commit",
                                        "close"))
                        .flatMap(step -> Stream.of(true, false).map(before -> Arguments.of(database, step, before))));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void theCallerThatOpenedABatchMayBeInterruptedAtEveryStep(Database database, String step, boolean before)
            throws Exception {
        database.table("left_behind");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(2))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(3));
            AtomicReference<Thread> first = new AtomicReference<>();
            AtomicBoolean keptItsInterruption = new AtomicBoolean();
            FutureTask<RowOutcome> leader = SimultaneousCallers.start(() -> {
                first.set(Thread.currentThread());
                try {
                    return commits.execute(INSERT, "first");
                } finally {
                    keptItsInterruption.set(Thread.currentThread().isInterrupted());
                }
            });
            Eventually.until(() -> first.get() != null && first.get().getState() == Thread.State.WAITING);
            AtomicBoolean once = new AtomicBoolean();
            WatchedDataSource.Hook interruption = at -> {
                if (at.equals(step) && once.compareAndSet(false, true)) {
                    first.get().interrupt();
                    Eventually.until(leader::isDone);
                }
            };
            if (before) {
                watched.before = interruption;
            } else {
                watched.after = interruption;
            }
            List<CompletableFuture<RowOutcome>> others =
                    List.of(commits.submit(INSERT, "second"), commits.submit(INSERT, "third"));
            assertThat(others.stream().map(other -> other.join().updateCount())).containsExactly(1, 1);
            assertThat(once).isTrue();
            assertThat(SimultaneousCallers.outcome(leader).failure()).isInstanceOf(OutcomeUnknownException.class);
            assertThat(keptItsInterruption).isTrue();
            assertThat(database.query("SELECT text FROM left_behind ORDER BY text"))
                    .containsExactly("first", "second", "third");
        }
    }

    /** Holds a batch in its commit while others gather behind it. */
    private static CompletableFuture<RowOutcome> hold(
            GroupCommit commits, WatchedDataSource watched, CountDownLatch goOn) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        watched.before = step -> {
            if (step.equals("execute")) {
                held.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        CompletableFuture<RowOutcome> holding = commits.submit(INSERT, "held");
        held.await();
        return holding;
    }

    @Test
    void theRowOfACallerThatIsInterruptedWhileItGathersIsNotWritten() throws Exception {
        Database.H2.table("left_behind");
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(2))) {
            GroupCommit commits = new GroupCommit(watched);
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<RowOutcome> holding = hold(commits, watched, goOn);
            AtomicReference<Thread> thread = new AtomicReference<>();
            FutureTask<RowOutcome> leaving = SimultaneousCallers.start(() -> {
                thread.set(Thread.currentThread());
                return commits.execute(INSERT, "leaving");
            });
            Eventually.until(() -> thread.get() != null && thread.get().getState() == Thread.State.WAITING);
            CompletableFuture<RowOutcome> staying = commits.submit(INSERT, "staying");
            thread.get().interrupt();
            assertThat(SimultaneousCallers.outcome(leaving).failure()).isInstanceOf(InterruptedException.class);
            goOn.countDown();
            holding.join();
            staying.join();
            assertThat(Database.H2.query("SELECT text FROM left_behind ORDER BY text"))
                    .containsExactly("held", "staying");
        }
    }

    @Test
    void theOutcomeOfATimeOutIsCertainBeforeTheStartAndUnknownAfterIt() throws Exception {
        Database.H2.table("left_behind");
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(2))) {
            GroupCommit commits = new GroupCommit(
                    watched,
                    WriteOptions.builder().callTimeout(Duration.ofMillis(50)).build());
            CountDownLatch goOn = new CountDownLatch(1);
            CountDownLatch held = new CountDownLatch(1);
            watched.before = step -> {
                if (step.equals("execute")) {
                    held.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
            FutureTask<RowOutcome> writing = SimultaneousCallers.start(() -> commits.execute(INSERT, "writing"));
            held.await();
            FutureTask<RowOutcome> gathered = SimultaneousCallers.start(() -> commits.execute(INSERT, "gathered"));
            assertThat(SimultaneousCallers.outcome(writing).failure())
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("callTimeout = 50 ms");
            assertThat(SimultaneousCallers.outcome(gathered).failure())
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("callTimeout = 50 ms");
            goOn.countDown();
            Eventually.until(
                    () -> Database.H2.query("SELECT text FROM left_behind").equals(List.of("writing")));
        }
    }
}
