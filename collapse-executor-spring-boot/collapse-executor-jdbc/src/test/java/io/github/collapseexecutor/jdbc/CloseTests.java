package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.gate.OnEachJdk;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A writer that is closed writes what it has taken on, and says of the rest that it is not written. */
@OnEachJdk
class CloseTests {

    static final int ROWS = 2_000;

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO closed (text) VALUES (?)");

    private static List<CompletableFuture<RowOutcome>> submitMany(GroupCommit commits) {
        return IntStream.range(0, ROWS)
                .mapToObj(row -> commits.submit(INSERT, "row " + row))
                .toList();
    }

    private static void assertAllWritten(Database database, List<CompletableFuture<RowOutcome>> writes) {
        assertThat(writes).allSatisfy(write -> {
            assertThat(write).isDone();
            assertThat(write.join().updateCount()).isEqualTo(1);
        });
        assertThat(database.query("SELECT COUNT(*) FROM closed")).containsExactly(String.valueOf(ROWS));
    }

    @ParameterizedTest
    @EnumSource
    void allThatWasHandedInIsWrittenBeforeClosingEnds(Database database) {
        database.table("closed");
        try (HikariDataSource pool = database.pool(2)) {
            GroupCommit commits = new GroupCommit(
                    pool, WriteOptions.builder().maxBatchSize(100).build());
            List<CompletableFuture<RowOutcome>> writes = submitMany(commits);
            assertThat(commits.close(Duration.ofMinutes(2))).isTrue();
            assertAllWritten(database, writes);
            assertThatThrownBy(() -> commits.execute(INSERT, "late")).isInstanceOf(ExecutorClosedException.class);
            assertThatThrownBy(() -> commits.submit(INSERT, "late").join())
                    .isInstanceOf(ExecutorClosedException.class)
                    .hasMessageContaining("group-commit");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        DataSource dataSource() {
            return Database.H2.pool(2);
        }

        @Bean
        GroupCommit groupCommit(DataSource dataSource) {
            return new GroupCommit(
                    dataSource, WriteOptions.builder().maxBatchSize(100).build());
        }
    }

    @Test
    void aSpringContextClosesItsWriterBeforeTheDataSource() {
        Database.H2.table("closed");
        List<CompletableFuture<RowOutcome>> writes;
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Beans.class)) {
            writes = submitMany(context.getBean(GroupCommit.class));
        }
        assertAllWritten(Database.H2, writes);
    }

    @Test
    void aRowThatIsNotWrittenByTheDeadlineIsReportedAsNotWritten() throws Exception {
        Database.H2.table("closed");
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(1))) {
            watched.before = step -> {
                if (step.equals("execute")) {
                    writing.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
            GroupCommit commits = new GroupCommit(watched);
            CompletableFuture<RowOutcome> held = commits.submit(INSERT, "held");
            writing.await();
            CompletableFuture<RowOutcome> gathered = commits.submit(INSERT, "gathered");
            assertThat(commits.counts().callers()).isEqualTo(2);
            assertThat(commits.counts().gathering()).isOne();
            assertThat(commits.counts().batchesInFlight()).isOne();
            assertThat(commits.close(Duration.ofMillis(10))).isFalse();
            assertThatThrownBy(() -> gathered.get(1, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(ExecutorClosedException.class);
            assertThat(held).isNotDone();
            goOn.countDown();
            assertThat(held.get(1, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
            assertThat(Database.H2.query("SELECT text FROM closed")).containsExactly("held");
            assertThat(commits.close(Duration.ofMinutes(1))).isTrue();
            assertThat(commits.counts().callers()).isZero();
        }
    }

    @Test
    void mergedUpdatesAreClosedTheSameWay() {
        MergedUpdatesTests.stock(Database.H2, 1_000);
        try (HikariDataSource pool = Database.H2.pool(1)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, MergedUpdatesTests.deduction());
            List<CompletableFuture<Boolean>> writes = IntStream.range(0, 100)
                    .mapToObj(part -> stock.submit(1L, 1))
                    .toList();
            stock.close();
            assertThat(writes).allSatisfy(write -> assertThat(write).isCompletedWithValue(true));
            assertThatThrownBy(() -> stock.execute(1L, 1)).isInstanceOf(ExecutorClosedException.class);
        }
    }

    /** Hands rows in and returns from {@code main}. */
    static final class Submitting {

        private Submitting() {}

        public static void main(String[] arguments) {
            GroupCommit commits = new GroupCommit(
                    Database.pool(1, arguments[0]),
                    WriteOptions.builder()
                            .closeAtShutdown(Duration.ofMinutes(2))
                            .maxBatchSize(50)
                            .build());
            submitMany(commits);
        }
    }

    @Test
    void aProcessThatEndsWritesWhatItHasTakenOnIfItIsToldTo(@TempDir Path folder) throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("closed") + ";DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE closed (text VARCHAR(20))");
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Submitting.class.getName(),
                        url)
                .inheritIO()
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM closed")) {
            assertThat(count.next()).isTrue();
            assertThat(count.getInt(1)).isEqualTo(ROWS);
        }
    }
}
