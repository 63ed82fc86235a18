package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A writer that goes on with the next batch keeps its connection, and nobody notices but the database, which is asked less. */
class WriterConnectionTests {

    // immutable
    private final BatchWriter writer = new BatchWriter(3, Duration.ofMinutes(2), RetryPause.RANDOM);

    private static RowStatement insertInto(String table) {
        return RowStatement.of("INSERT INTO " + table + " (text) VALUES (?)");
    }

    /** Does something on a writer's thread. */
    private static <T> T onWriter(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        WriterThreads.INSTANCE.execute(task);
        return Callers.outcome(task).value();
    }

    private List<Integer> write(DataSource dataSource, String table, String... texts) throws SQLException {
        List<Row> rows =
                Stream.of(texts).map(text -> new Row(ParameterSetter.of(text))).toList();
        try (BatchConnections connections = BatchConnections.of(dataSource, true)) {
            return writer.write(connections, insertInto(table), rows).stream()
                    .map(outcome ->
                            outcome.value() == null ? -1 : outcome.value().updateCount())
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void batchesThatFollowOneAnotherSwitchAutomaticCommitOffOnce(Database database) throws Exception {
        String table = database.table("followed");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            List<Integer> counts = onWriter(() -> {
                List<Integer> all = new ArrayList<>(write(watched, table, "a", "b"));
                all.addAll(write(watched, table, "c"));
                all.addAll(write(watched, table, "d", "e"));
                return all;
            });
            assertThat(counts).containsExactly(1, 1, 1, 1, 1);
            assertThat(watched.steps("getConnection")).hasSize(1);
            assertThat(watched.steps("commit")).hasSize(3);
            Eventually.until(() -> watched.steps("setAutoCommit").size() == 2);
            // This waits until the only connection is back.
            try (Connection connection = watched.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getNetworkTimeout()).isZero();
            }
            assertThat(database.query("SELECT text FROM followed ORDER BY id"))
                    .containsExactly("a", "b", "c", "d", "e");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriterThatIsBusyGivesItsConnectionBackNowAndThen(Database database) throws Exception {
        String table = database.table("busy_writer");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            AtomicInteger rows = new AtomicInteger();
            Eventually.until(() -> onWriter(() -> {
                while (watched.steps("getConnection").size() < 2) {
                    assertThat(write(watched, table, "a" + rows.get(), "b" + rows.getAndIncrement()))
                            .containsExactly(1, 1);
                }
                return true;
            }));
            assertThat(database.query("SELECT COUNT(*) FROM busy_writer"))
                    .containsExactly(String.valueOf(2 * rows.get()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aConnectionThatIsLostWhileItIsKeptIsReplaced(Database database) throws Exception {
        String table = database.table("lost_when_kept");
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(1, path.through(database.url()))) {
            assertThat(onWriter(() -> {
                        write(pool, table, "a", "b");
                        path.breakAt("third row", false);
                        return write(pool, table, "third row", "fourth row");
                    }))
                    .containsExactly(1, 1);
            assertThat(path.hasBroken()).isTrue();
            assertThat(database.query("SELECT text FROM lost_when_kept ORDER BY text"))
                    .containsExactly("a", "b", "fourth row", "third row");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionWhoseBatchWasRolledBackIsNotKept(Database database) throws Exception {
        String table = database.table("rolled_back_whole");
        database.execute("INSERT INTO rolled_back_whole (text) VALUES ('taken')");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            assertThat(onWriter(() -> {
                        List<Integer> bad = write(watched, table, "taken", "taken");
                        assertThat(watched.steps("close")) // of each statement, and of the connection
                                .hasSize(watched.steps("prepareStatement").size() + 1);
                        return bad;
                    }))
                    .containsExactly(-1, -1);
            assertThat(onWriter(() -> write(watched, table, "a", "b"))).containsExactly(1, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionOfAnotherDataSourceIsGivenBackBeforeTheNextIsWaitedFor(Database database) throws Exception {
        String table = database.table("two_sources");
        try (HikariDataSource pool = database.pool(1)) {
            DataSource one = new ManualCommits(pool);
            DataSource other = new ManualCommits(pool);
            assertThat(onWriter(() -> {
                        List<Integer> all = new ArrayList<>(write(one, table, "a", "b"));
                        all.addAll(write(other, table, "c", "d"));
                        return all;
                    }))
                    .containsExactly(1, 1, 1, 1);
            assertThat(database.query("SELECT COUNT(*) FROM two_sources")).containsExactly("4");
        }
    }
}
