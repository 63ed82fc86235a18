package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that is too large to be sent fails alone, and a database that is silent keeps nobody waiting for ever. */
class LargeRowsTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO large_rows (id, content) VALUES (?, ?)");

    static Stream<String> mariaDbsDrivers() {
        String url = Database.MARIADB.url();
        return Stream.of(url, url + "&useServerPrepStmts=true", url + "&useBulkStmts=true", Database.mysqlDriversUrl());
    }

    @AfterAll
    static void unlimitPackets() {
        limitPackets(64 << 20);
    }

    private static void limitPackets(int bytes) {
        Database.MARIADB.execute("SET GLOBAL max_allowed_packet = " + bytes);
    }

    private static void createTable(Database database) {
        String type = database == Database.POSTGRESQL ? "BYTEA" : database == Database.H2 ? "BLOB" : "LONGBLOB";
        database.execute(
                "DROP TABLE IF EXISTS large_rows",
                "CREATE TABLE large_rows (id INT PRIMARY KEY, content " + type + ")");
    }

    @ParameterizedTest
    @MethodSource("mariaDbsDrivers")
    void aRowThatIsLargerThanAPacketFailsAlone(String url) {
        createTable(Database.MARIADB);
        limitPackets(16 << 20);
        try (HikariDataSource pool = Database.pool(1, url)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(20));
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 20)
                    .mapToObj(row -> commits.submit(INSERT, row, new byte[row == 7 ? 20_000_000 : 100]))
                    .toList();
            assertThatThrownBy(() -> writes.get(7).get(2, TimeUnit.MINUTES)).hasCauseInstanceOf(SQLException.class);
            assertThat(IntStream.range(0, 20)
                            .filter(row -> row != 7)
                            .map(row -> writes.get(row).join().updateCount()))
                    .containsOnly(1)
                    .hasSize(19);
            assertThat(Database.MARIADB.query("SELECT id FROM large_rows WHERE id <> 7"))
                    .hasSize(19);
        }
    }

    @ParameterizedTest
    @MethodSource("mariaDbsDrivers")
    void rowsThatAreTooLargeTogetherAreSentApartAndCommittedTogether(String url) {
        createTable(Database.MARIADB);
        limitPackets(1 << 20);
        try (WatchedDataSource watched = new WatchedDataSource(Database.pool(1, url))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(100));
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 100)
                    .mapToObj(row -> commits.submit(INSERT, statement -> {
                        statement.setInt(1, row);
                        statement.setBytes(2, new byte[30_000]);
                    }))
                    .toList();
            assertThat(writes.stream().map(write -> write.join().updateCount())).containsOnly(1);
            assertThat(Database.MARIADB.query("SELECT COUNT(*) FROM large_rows WHERE LENGTH(content) = 30000"))
                    .containsExactly("100");
            assertThat(watched.steps("commit")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeRowsAreSentInSeveralBatchesAndABadOneAmongThemFailsAlone(Database database) {
        createTable(database);
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(12));
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 12)
                    .mapToObj(row -> commits.submit(INSERT, row == 9 ? 2 : row, new byte[200_000]))
                    .toList();
            assertThatThrownBy(writes.get(9)::join).hasCauseInstanceOf(SQLException.class);
            assertThat(IntStream.range(0, 12)
                            .filter(row -> row != 9)
                            .map(row -> writes.get(row).join().updateCount()))
                    .containsOnly(1)
                    .hasSize(11);
            assertThat(database.query("SELECT COUNT(*) FROM large_rows")).containsExactly("11");
            assertThat(watched.steps("commit")).hasSize(1);
        }
    }

    static Stream<Arguments> silences() {
        return Stream.of(
                Arguments.of(Database.MARIADB, "set autocommit=1", true),
                Arguments.of(Database.POSTGRESQL, "COMMIT", true),
                Arguments.of(Database.MARIADB, "INSERT INTO large_rows", false),
                Arguments.of(Database.POSTGRESQL, "INSERT INTO large_rows", false));
    }

    private static WriteOptions impatient(int rows) {
        return WriteOptions.builder()
                .maxBatchSize(rows)
                .collectingWaitTime(Duration.ofMinutes(10))
                .networkTimeout(Duration.ofMillis(500))
                .build();
    }

    @ParameterizedTest
    @MethodSource("silences")
    void allAreAnsweredIfTheDatabaseIsSilent(Database database, String at, boolean isUnknown) throws Exception {
        createTable(database);
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            GroupCommit commits = new GroupCommit(pool, impatient(3));
            path.fallSilentAt(at);
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 3)
                    .mapToObj(row -> commits.submit(INSERT, row, new byte[10]))
                    .toList();
            assertThat(writes)
                    .allSatisfy(write -> assertThatThrownBy(() -> write.get(2, TimeUnit.MINUTES))
                            .hasCauseInstanceOf(isUnknown ? OutcomeUnknownException.class : SQLException.class));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MARIADB", "POSTGRESQL"})
    void allAreAnsweredIfTheDatabaseDoesNotReadWhatItIsSent(Database database) throws Exception {
        createTable(database);
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            GroupCommit commits = new GroupCommit(pool, impatient(2));
            path.fallSilentAt("INSERT INTO large_rows");
            // The first of two batches does not fit the buffers of the network, so that the driver is stuck in sending
            // it.
            CompletableFuture<RowOutcome> large = commits.submit(INSERT, 1, new byte[12_000_000]);
            CompletableFuture<RowOutcome> small = commits.submit(INSERT, 2, new byte[10]);
            for (CompletableFuture<RowOutcome> write : List.of(large, small)) {
                assertThatThrownBy(() -> write.get(2, TimeUnit.MINUTES)).hasCauseInstanceOf(SQLException.class);
            }
        }
    }
}
