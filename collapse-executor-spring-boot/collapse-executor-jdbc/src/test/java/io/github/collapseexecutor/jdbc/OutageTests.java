package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** SimultaneousCallers of a database that is down are answered soon, all of them. */
class OutageTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO outage (text) VALUES (?)");

    private final WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(1));
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();

    @BeforeEach
    void createTable() {
        Database.H2.table("outage");
    }

    @AfterEach
    void close() {
        goOn.countDown();
        watched.close();
    }

    /** Has the first attempt at a connection wait for the test, and each of the first few fail. */
    private void failToConnect(int times) {
        watched.before = step -> {
            if (step.equals("getConnection") && attempts.getAndIncrement() < times) {
                waiting.countDown();
                await(goOn);
                throw new SQLTransientConnectionException("no connection within 30 s");
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A data source connects when it is asked for a connection, or when that connection is used. */
    private enum Connecting {
        AT_ONCE,
        WHEN_USED,
        WHEN_USED_IN_TRANSACTIONS;

        DataSource of(DataSource target) {
            return switch (this) {
                case AT_ONCE -> target;
                case WHEN_USED -> new LazyConnectionDataSourceProxy(target);
                case WHEN_USED_IN_TRANSACTIONS -> new TransactionAwareDataSourceProxy(target);
            };
        }
    }

    /** The first waits for a connection in vain; the others come while it waits. */
    private void assertAllFailAfterOneAttempt(GroupCommit commits) throws Exception {
        CompletableFuture<RowOutcome> first = commits.submit(INSERT, "first");
        waiting.await();
        List<CompletableFuture<RowOutcome>> behind = IntStream.range(0, 100)
                .mapToObj(row -> commits.submit(INSERT, "row " + row))
                .toList();
        goOn.countDown();
        assertThatThrownBy(() -> first.get(1, TimeUnit.MINUTES)).hasRootCauseMessage("no connection within 30 s");
        assertThat(behind)
                .allSatisfy(write -> assertThatThrownBy(() -> write.get(1, TimeUnit.MINUTES))
                        .hasRootCauseMessage("no connection within 30 s"));
        assertThat(attempts).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseThatIsDownIsWaitedForOnce(Connecting connecting) throws Exception {
        DataSource source = connecting.of(watched);
        source.getConnection().close(); // Spring's proxies ask the first one for its defaults
        failToConnect(Integer.MAX_VALUE);
        GroupCommit commits =
                new GroupCommit(source, WriteOptions.builder().maxBatchSize(10).build());
        assertAllFailAfterOneAttempt(commits);
    }

    @Test
    void allCallersThatCameWhileAConnectionWasWaitedForInVainFailWithIt() throws Exception {
        failToConnect(1);
        GroupCommit commits =
                new GroupCommit(watched, WriteOptions.builder().maxBatchSize(10).build());
        assertAllFailAfterOneAttempt(commits);
        assertThat(commits.execute(INSERT, "next").updateCount()).isEqualTo(1);
        assertThat(Database.H2.query("SELECT text FROM outage")).containsExactly("next");
    }

    @ParameterizedTest
    @EnumSource
    void aFutureHasATimeOutToo(Connecting connecting) {
        DataSource source = connecting.of(watched);
        watched.before = step -> {
            if (step.equals("getConnection")) {
                await(goOn);
            }
        };
        GroupCommit commits = new GroupCommit(
                source,
                WriteOptions.builder().callTimeout(Duration.ofMillis(50)).build());
        CompletableFuture<RowOutcome> write = commits.submit(INSERT, "late");
        assertThatThrownBy(() -> write.get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(SQLTimeoutException.class)
                .hasMessageContaining("callTimeout = 50 ms")
                .hasMessageContaining("it is not written");
        goOn.countDown();
        commits.close(); // waits for the batch
        assertThat(watched.steps("prepareStatement")).isEmpty();
        assertThat(Database.H2.query("SELECT text FROM outage")).isEmpty();
    }

    @Test
    void theOutcomeOfAFutureWhoseTimePassesInTheWriteIsUnknown() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        watched.before = step -> {
            if (step.equals("execute")) {
                writing.countDown();
                await(goOn);
            }
        };
        GroupCommit commits = new GroupCommit(
                watched,
                WriteOptions.builder()
                        .callTimeout(Duration.ofSeconds(2))
                        .build()); // enough to begin in on a slow machine
        CompletableFuture<RowOutcome> write = commits.submit(INSERT, "held");
        writing.await();
        assertThatThrownBy(() -> write.get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("callTimeout = 2000 ms");
        goOn.countDown();
        Eventually.until(() -> Database.H2.query("SELECT text FROM outage").equals(List.of("held")));
    }

    private static Connection closedConnection() throws SQLException {
        try (Connection connection = DriverManager.getConnection(Database.POSTGRESQL.url())) {
            return connection;
        }
    }

    @Test
    void aClosedConnectionThatAPoolGivesIsFollowedByAnother() throws Exception {
        Database.POSTGRESQL.table("outage");
        try (HikariDataSource pool = Database.POSTGRESQL.pool(1)) {
            Deque<Connection> dead = new ArrayDeque<>(List.of(closedConnection()));
            DataSource careless = new DelegatingDataSource(pool) {
                @Override
                public Connection getConnection() throws SQLException {
                    return dead.isEmpty() ? super.getConnection() : dead.pop();
                }
            };
            assertThat(new GroupCommit(careless).execute(INSERT, "a").updateCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void anActionThatDependsOnATimeOutDoesNotHoldUpOtherTimers() throws Exception {
        failToConnect(1);
        GroupCommit commits = new GroupCommit(
                watched,
                WriteOptions.builder().callTimeout(Duration.ofMillis(10)).build());
        Thread test = Thread.currentThread();
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Void> dependent;
        do {
            dependent = commits.submit(INSERT, "late").handle((outcome, failure) -> {
                if (Thread.currentThread() != test) { // the test's comes here where the time passes before this line
                    held.countDown();
                    await(goOn);
                }
                return null;
            });
        } while (dependent.isDone());
        assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(new CompletableFuture<Void>()
                        .completeOnTimeout(null, 20, TimeUnit.MILLISECONDS)
                        .get(1, TimeUnit.MINUTES))
                .isNull();
        assertThat(dependent).isNotDone();
    }

    /** An application may close its pool before its writer. */
    @ParameterizedTest
    @EnumSource
    void callersAreToldWhatIsThere_atWhateverStepThePoolIsClosed(Database database) {
        RowStatement insert = RowStatement.of("INSERT INTO closed_under (text) VALUES (?)");
        boolean isClosed = true;
        for (int step = 0; isClosed; step++) {
            database.table("closed_under");
            AtomicInteger stepsToGo = new AtomicInteger(step);
            List<Told> told;
            HikariDataSource pool = database.pool(2);
            try (WatchedDataSource watched = new WatchedDataSource(pool)) {
                watched.before = name -> {
                    if (stepsToGo.getAndDecrement() == 0) {
                        pool.close();
                    }
                };
                GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(3));
                told = Stream.of("a", "longer than twenty characters", "c")
                        .map(text -> commits.submit(insert, text))
                        .toList()
                        .stream()
                        .map(write -> write.orTimeout(1, TimeUnit.MINUTES)
                                .handle((outcome, failure) -> failure == null
                                        ? new Told("", outcome.updateCount(), null, List.of())
                                        : Told.failed(failure))
                                .join())
                        .toList();
            }
            isClosed = stepsToGo.get() < 0;
            List<String> there = database.query("SELECT text FROM closed_under ORDER BY text");
            assertThat(told.get(1).isWritten()).isFalse();
            assertThat(told.get(0).isUnknown() ? there : told.get(0).isWritten() ? List.of("a", "c") : List.of())
                    .as("step %d: %s", step, told)
                    .isEqualTo(there)
                    .satisfiesAnyOf(
                            rows -> assertThat(rows).isEmpty(),
                            rows -> assertThat(rows).hasSize(2));
        }
    }
}
