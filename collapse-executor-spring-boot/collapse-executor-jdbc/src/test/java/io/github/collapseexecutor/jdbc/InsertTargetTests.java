package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.sql.InsertTarget;
import io.github.collapseexecutor.jdbc.sql.StatementText;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL is sent many rows as one statement only where that is the same as single rows, by what its catalogue says of the table. */
class InsertTargetTests {

    private static final Database DATABASE = Database.POSTGRESQL;
    private static final RowStatement INSERT = RowStatement.of("INSERT INTO target.goods (id, amount) VALUES (?, ?)");
    private static final String BALANCE =
            "CREATE TRIGGER t AFTER INSERT ON target.goods FOR EACH ROW EXECUTE FUNCTION target.note_balance()";

    private static void createTable(String... more) {
        DATABASE.execute(
                "DROP SCHEMA IF EXISTS target CASCADE",
                "CREATE SCHEMA target",
                "CREATE TABLE target.goods (id BIGINT PRIMARY KEY, amount INT, note TEXT)",
                "CREATE TABLE target.balance (id BIGINT, amount INT)",
                "CREATE FUNCTION target.note_balance() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO target.balance"
                        + " SELECT NEW.id, SUM(amount) FROM target.goods; RETURN NEW; END $$",
                "CREATE FUNCTION target.stable_trigger() RETURNS trigger LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN NEW; END $$",
                "CREATE FUNCTION target.number() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT COUNT(*) FROM target.goods $$",
                "CREATE FUNCTION target.twice(n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 2 * n $$");
        DATABASE.execute(more);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PLAIN              |
                    PLAIN              | ALTER TABLE target.goods ALTER note SET DEFAULT now()
                    PLAIN              | ALTER TABLE target.goods ALTER note SET DEFAULT gen_random_uuid()
                    PLAIN              | CREATE SEQUENCE target.s; ALTER TABLE target.goods ALTER note SET DEFAULT nextval('target.s')
                    PLAIN              | ALTER TABLE target.goods ADD CHECK (target.twice(amount) > 0)
                    PLAIN              | CREATE TABLE target.shelf (id INT PRIMARY KEY); ALTER TABLE target.goods ADD FOREIGN KEY (amount) REFERENCES target.shelf
                    PLAIN              | CREATE TRIGGER t AFTER UPDATE OR DELETE ON target.goods FOR EACH ROW EXECUTE FUNCTION target.note_balance()
                    PLAIN              | CREATE TRIGGER t AFTER INSERT ON target.goods EXECUTE FUNCTION target.note_balance(); ALTER TABLE target.goods DISABLE TRIGGER t
                    MAY_LEAVE_ROWS_OUT | CREATE TRIGGER t BEFORE INSERT ON target.goods FOR EACH ROW EXECUTE FUNCTION target.note_balance()
                    TRIGGER            | CREATE TRIGGER t BEFORE INSERT ON target.goods FOR EACH ROW EXECUTE FUNCTION target.stable_trigger()
                    TRIGGER            | CREATE TRIGGER t AFTER INSERT ON target.goods FOR EACH ROW EXECUTE FUNCTION target.note_balance()
                    TRIGGER            | CREATE TRIGGER t BEFORE INSERT ON target.goods EXECUTE FUNCTION target.note_balance()
                    TRIGGER            | CREATE TRIGGER t AFTER INSERT OR UPDATE ON target.goods EXECUTE FUNCTION target.note_balance()
                    TRIGGER            | CREATE CONSTRAINT TRIGGER t AFTER INSERT ON target.goods DEFERRABLE FOR EACH ROW EXECUTE FUNCTION target.note_balance()
                    TRIGGER            | DROP TABLE target.goods; CREATE TABLE target.goods (id INT, amount INT) PARTITION BY RANGE (id); CREATE TABLE target.part PARTITION OF target.goods DEFAULT; CREATE TRIGGER t AFTER INSERT ON target.part FOR EACH ROW EXECUTE FUNCTION target.note_balance()
                    PLAIN              | DROP TABLE target.goods; CREATE TABLE target.goods (id INT, amount INT) PARTITION BY RANGE (id); CREATE TABLE target.part PARTITION OF target.goods DEFAULT
                    REFERENCE          | ALTER TABLE target.goods ADD FOREIGN KEY (amount) REFERENCES target.goods
                    REFERENCE          | CREATE TABLE target.shelf (id INT PRIMARY KEY); ALTER TABLE target.goods ADD FOREIGN KEY (amount) REFERENCES target.shelf; CREATE TRIGGER t BEFORE INSERT ON target.goods FOR EACH ROW EXECUTE FUNCTION target.note_balance()
                    EXPRESSION         | ALTER TABLE target.goods ALTER note SET DEFAULT target.number()
                    EXPRESSION         | ALTER TABLE target.goods ADD CHECK (target.number() < 100)
                    EXPRESSION         | CREATE DOMAIN target.d AS INT CHECK (target.number() < 100); ALTER TABLE target.goods ADD COLUMN d target.d
                    EXPRESSION         | CREATE DOMAIN target.d AS BIGINT DEFAULT target.number(); ALTER TABLE target.goods ADD COLUMN d target.d
                    EXPRESSION         | CREATE DOMAIN target.d AS INT CHECK (target.number() < 100); CREATE DOMAIN target.e AS target.d; ALTER TABLE target.goods ADD COLUMN e target.e
                    EXPRESSION         | CREATE DOMAIN target.d AS INT CHECK (target.number() < 100); ALTER TABLE target.goods ADD COLUMN d target.d[]
                    EXPRESSION         | CREATE DOMAIN target.d AS INT CHECK (target.number() < 100); CREATE TYPE target.pair AS (a INT, b target.d); ALTER TABLE target.goods ADD COLUMN p target.pair
                    EXPRESSION         | CREATE FUNCTION target.few(a INT, b INT) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT target.number() < a $$; CREATE OPERATOR target.<%> (LEFTARG = INT, RIGHTARG = INT, FUNCTION = target.few); ALTER TABLE target.goods ADD CHECK (amount OPERATOR(target.<%>) 1)
                    TRIGGER            | CREATE TRIGGER t BEFORE INSERT ON target.goods FOR EACH ROW WHEN (target.number() > 1) EXECUTE FUNCTION target.note_balance()
                    NO_PLAIN_TABLE     | CREATE RULE r AS ON INSERT TO target.goods DO ALSO INSERT INTO target.balance VALUES (1, 1)
                    NO_PLAIN_TABLE     | ALTER TABLE target.goods ENABLE ROW LEVEL SECURITY
                    NO_PLAIN_TABLE     | ALTER TABLE target.goods RENAME TO stored; CREATE VIEW target.goods AS SELECT * FROM target.stored
                    UNKNOWN            | DROP TABLE target.goods
                    """)
    void theCatalogueSaysWhetherManyRowsMayBeOneStatement(InsertTarget expected, String ddl) throws SQLException {
        createTable(ddl == null ? "SELECT 1" : ddl);
        try (Connection connection = DriverManager.getConnection(DATABASE.url())) {
            assertThat(InsertTarget.of(connection, "target.goods").target()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    INSERT INTO target.goods (id, amount) VALUES (?, ?)                 | target.goods
                    insert  into "target" . "goods" as g (id) values (?)                | "target" . "goods"
                    INSERT INTO "odd "" name"(id) VALUES (?)                            | "odd "" name"
                    INSERT INTO goods VALUES (?)                                        | goods
                    WITH x AS (SELECT 1) INSERT INTO goods VALUES (?)                   |
                    INSERT /* into */ INTO goods VALUES (?)                             |
                    """)
    void theTableIsFoundInTheStatement(String sql, String table) throws SQLException {
        assertThat(StatementText.tableOfInsert(sql)).isEqualTo(table);
    }

    private static List<CompletableFuture<RowOutcome>> write(GroupCommit commits, int from, int to) {
        List<CompletableFuture<RowOutcome>> writes = IntStream.range(from, to)
                .mapToObj(row -> commits.submit(INSERT, (long) row, 1))
                .toList();
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> 0)
                .join();
        return writes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&reWriteBatchedInserts=true"})
    void aRunningBalanceRunsOverTheRowsOfABatch(String option) {
        createTable(BALANCE);
        try (HikariDataSource pool = Database.pool(1, DATABASE.url() + option)) {
            write(new GroupCommit(pool, GroupCommitTests.full(10)), 0, 10);
            assertThat(DATABASE.query("SELECT amount FROM target.balance ORDER BY id"))
                    .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        }
    }

    @Test
    void aChildBeforeItsParentIsRefused() {
        createTable("ALTER TABLE target.goods ADD FOREIGN KEY (amount) REFERENCES target.goods");
        try (HikariDataSource pool = DATABASE.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
            CompletableFuture<RowOutcome> child = commits.submit(INSERT, 1L, 2);
            CompletableFuture<RowOutcome> parent = commits.submit(INSERT, 2L, 2);
            CompletableFuture<RowOutcome> other = commits.submit(INSERT, 3L, 2);
            assertThatThrownBy(child::join).hasCauseInstanceOf(SQLException.class);
            assertThat(parent.join().updateCount() + other.join().updateCount()).isEqualTo(2);
        }
    }

    /** Each look at the catalogue is a query. */
    @Test
    void theCatalogueIsLookedAtOnceAndAgainAfterAFailure() {
        createTable();
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(10));
            write(commits, 0, 10);
            write(commits, 10, 20);
            assertThat(watched.steps("executeQuery")).hasSize(1);
            DATABASE.execute(BALANCE, "INSERT INTO target.goods VALUES (25, 1)");
            write(commits, 20, 30);
            DATABASE.execute("DELETE FROM target.balance");
            write(commits, 30, 40);
            assertThat(watched.steps("executeQuery")).hasSize(2);
            assertThat(DATABASE.query("SELECT amount FROM target.balance ORDER BY id"))
                    .containsExactlyElementsOf(IntStream.rangeClosed(31, 40)
                            .mapToObj(String::valueOf)
                            .toList());
        }
    }

    @Test
    void theCataloguesAnswerHoldsForTenSeconds() throws SQLException {
        createTable();
        LearnedStatement learned = new LearnedStatement(INSERT.sql(), true, false);
        try (Connection connection = DriverManager.getConnection(DATABASE.url())) {
            long start = System.nanoTime();
            learned.lookAtTables(connection, 2, start);
            assertThat(learned.multiRowInsert()).isNotNull();
            DATABASE.execute(BALANCE);
            learned.lookAtTables(connection, 2, start + TimeUnit.SECONDS.toNanos(10) - 1);
            assertThat(learned.multiRowInsert()).isNotNull();
            learned.lookAtTables(connection, 2, start + TimeUnit.SECONDS.toNanos(10));
            assertThat(learned.multiRowInsert()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutTheSwitchEachRowIsAStatement(boolean multiRowInserts) {
        createTable();
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            WriteOptions options = WriteOptions.builder()
                    .maxBatchSize(10)
                    .collectingWaitTime(Duration.ofMinutes(10))
                    .multiRowInserts(multiRowInserts)
                    .build();
            write(new GroupCommit(watched, options), 0, 10);
            assertThat(watched.steps("executeUpdate", "executeBatch"))
                    .containsExactly(multiRowInserts ? "executeUpdate" : "executeBatch");
        }
    }

    /** The rows are written one statement each where nothing is known of the table, whether the connection commits by itself or not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCatalogueThatCannotBeReadCostsNoRow(boolean autoCommit) {
        createTable(
                BALANCE,
                "DROP ROLE IF EXISTS guest",
                "CREATE ROLE guest LOGIN",
                "GRANT USAGE ON SCHEMA target TO guest",
                "GRANT ALL ON ALL TABLES IN SCHEMA target TO guest",
                "REVOKE SELECT ON pg_catalog.pg_depend FROM PUBLIC");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(DATABASE.url().replace("user=postgres", "user=guest"));
        config.setMaximumPoolSize(1);
        config.setAutoCommit(autoCommit);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            write(new GroupCommit(pool, GroupCommitTests.full(10)), 0, 10);
            assertThat(DATABASE.query("SELECT amount FROM target.balance ORDER BY id"))
                    .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        } finally {
            DATABASE.execute(
                    "GRANT SELECT ON pg_catalog.pg_depend TO PUBLIC", "DROP OWNED BY guest", "DROP ROLE guest");
        }
    }
}
