package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.core.BatchStart;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.gate.OnEachJdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which thread writes a batch that gathered while another was written, and that no code of the user's holds it up. */
@OnEachJdk
class WriterThreadsTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO followed (text) VALUES (?)");

    private final HikariDataSource pool = Database.H2.pool(4);
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicReference<Thread> firstWriter = new AtomicReference<>();
    private final AtomicReference<Thread> nextWriter = new AtomicReference<>();

    @BeforeEach
    void createTable() {
        Database.H2.table("followed");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** A row whose batch is not written before the test says so. */
    private ParameterSetter held(String text) {
        return statement -> {
            statement.setString(1, text);
            firstWriter.set(Thread.currentThread());
            writing.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private ParameterSetter next(String text) {
        return statement -> {
            statement.setString(1, text);
            nextWriter.set(Thread.currentThread());
        };
    }

    /** Has a batch of so many waiting callers written, and one row more gather meanwhile. */
    private void writeTwoBatches(GroupCommit commits, int callers) throws Exception {
        List<FutureTask<RowOutcome>> first = new ArrayList<>();
        first.add(SimultaneousCallers.start(() -> commits.execute(INSERT, held("row 0"))));
        for (int row = 1; row < callers; row++) {
            String text = "row " + row;
            first.add(SimultaneousCallers.start(() -> commits.execute(INSERT, text)));
        }
        writing.await();
        CompletableFuture<RowOutcome> next = commits.submit(INSERT, next("next"));
        goOn.countDown();
        for (FutureTask<RowOutcome> caller : first) {
            assertThat(SimultaneousCallers.outcome(caller).value().updateCount())
                    .isEqualTo(1);
        }
        assertThat(next.get(2, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
    }

    @Test
    void aWriterWithAFewCallersToAnswerWritesTheNextBatchToo() throws Exception {
        writeTwoBatches(new GroupCommit(pool), 1);
        assertThat(nextWriter).hasValue(firstWriter.get());
    }

    @Test
    void aWriterWithManyCallersToAnswerLeavesTheNextBatchToAnother() throws Exception {
        writeTwoBatches(new GroupCommit(pool, GroupCommitTests.full(65)), 65);
        assertThat(nextWriter.get()).isNotNull().isNotSameAs(firstWriter.get());
    }

    @Test
    void callersThatComeBackAtOnceShareEachBatch() throws Exception {
        int callers = 8;
        int rows = 6;
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(1))) {
            watched.after = step -> {
                if (step.startsWith("execute")) {
                    pause(Duration.ofMillis(200)); // so that there is time to come back
                }
            };
            GroupCommit commits = new GroupCommit(watched);
            List<WriteResult<Void>> outcomes = SimultaneousCallers.all(callers, caller -> () -> {
                for (int row = 0; row < rows; row++) {
                    commits.execute(INSERT, caller + "-" + row);
                    pause(Duration.ofMillis(2L * caller)); // one after the other, so that the first could start alone
                }
                return null;
            });
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.failure()).isNull());
            // The first row is alone; with halves that take turns there would be twice as many batches as rows of a
            // caller.
            assertThat(watched.steps("execute", "executeUpdate", "executeBatch"))
                    .hasSizeLessThanOrEqualTo(rows + 3);
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anActionThatDependsOnAFutureMayWaitForTheNextBatch() throws Exception {
        GroupCommit commits = new GroupCommit(pool);
        AtomicReference<CompletableFuture<RowOutcome>> next = new AtomicReference<>();
        CompletableFuture<Integer> dependent = commits.submit(INSERT, held("held"))
                .thenApply(outcome -> outcome.updateCount() + next.get().join().updateCount());
        writing.await();
        next.set(commits.submit(INSERT, "next"));
        goOn.countDown();
        assertThat(dependent.get(2, TimeUnit.MINUTES)).isEqualTo(2);
    }

    /** A commit whose listener writes a row when the first batch has ended, and waits for that. */
    private GroupCommit commitsOfAWritingListener(CompletableFuture<RowOutcome> byTheListener) {
        AtomicReference<GroupCommit> commits = new AtomicReference<>();
        AtomicBoolean once = new AtomicBoolean();
        commits.set(new GroupCommit(
                pool,
                WriteOptions.builder()
                        .listener(batch -> {
                            if (once.compareAndSet(false, true)) {
                                byTheListener.complete(
                                        commits.get().submit(INSERT, "listener").join());
                            }
                        })
                        .build()));
        return commits.get();
    }

    @Test
    void aListenerMayWaitForTheNextBatch() throws Exception {
        CompletableFuture<RowOutcome> byTheListener = new CompletableFuture<>();
        writeTwoBatches(commitsOfAWritingListener(byTheListener), 1);
        assertThat(byTheListener.get(2, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
    }

    @Test
    void aListenerMayWriteWhenNothingElseDoes() throws Exception {
        CompletableFuture<RowOutcome> byTheListener = new CompletableFuture<>();
        assertThat(commitsOfAWritingListener(byTheListener)
                        .execute(INSERT, "row")
                        .updateCount())
                .isEqualTo(1);
        assertThat(byTheListener.get(2, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
    }

    @Test
    void aListenerIsToldOfEveryEventOfAWriter() throws Exception {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        GroupCommit commits = new GroupCommit(
                pool,
                WriteOptions.builder()
                        .maxPending(2)
                        .listener(new CollapseListener() {
                            @Override
                            public void batchStarted(BatchStart batch) {
                                events.add("started");
                            }

                            @Override
                            public void batchEnded(BatchSummary batch) {
                                events.add("ended");
                            }

                            @Override
                            public void callLeft(CallDeparture departure) {
                                events.add("left " + departure.reason());
                            }

                            @Override
                            public void callRefused(String executor, Object group, RuntimeException refusal) {
                                events.add("refused");
                            }
                        })
                        .build());
        CompletableFuture<RowOutcome> written = commits.submit(INSERT, held("held"));
        writing.await();
        CompletableFuture<RowOutcome> leaving = commits.submit(INSERT, "leaving");
        assertThatThrownBy(() -> commits.submit(INSERT, "one too many")).isInstanceOf(RejectedExecutionException.class);
        assertThat(leaving.cancel(false)).isTrue();
        assertThat(events).containsExactly("started", "refused", "left CANCELLED");
        goOn.countDown();
        assertThat(written.get(2, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
        commits.close();
        assertThat(events).containsExactly("started", "refused", "left CANCELLED", "ended");
    }

    @Test
    void aParameterSetterMayWriteSomethingElse() throws Exception {
        GroupCommit commits = new GroupCommit(pool);
        GroupCommit others = new GroupCommit(pool);
        RowOutcome outcome = commits.execute(INSERT, statement -> {
            others.submit(INSERT, "other").join();
            statement.setString(1, "row");
        });
        assertThat(outcome.updateCount()).isEqualTo(1);
        assertThat(Database.H2.query("SELECT text FROM followed ORDER BY text")).containsExactly("other", "row");
    }
}
