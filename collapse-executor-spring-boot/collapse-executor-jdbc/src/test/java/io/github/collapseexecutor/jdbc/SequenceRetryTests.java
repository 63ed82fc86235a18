package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.sequence.SequenceRetry;
import io.github.collapseexecutor.sequence.SequenceException;
import io.github.collapseexecutor.sequence.Sequences;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What passes reaches no caller, and what does not reaches it soon. Two pools stand for two processes. */
class SequenceRetryTests {

    private static final int CALLERS = 16;
    private static final int NUMBERS_EACH = 25;

    /** H2 calls it for each row that is updated. */
    public static final class FailingTrigger implements Trigger {

        @Override
        public void fire(Connection connection, Object[] oldRow, Object[] newRow) throws SQLException {
            throw new SQLException("deadlock", "40001");
        }
    }

    static Stream<Arguments> databasesWithBothKindsOfCommit() {
        return Stream.of(Database.values())
                .flatMap(database -> Stream.of(true, false).map(byItself -> Arguments.of(database, byItself)));
    }

    @ParameterizedTest
    @MethodSource("databasesWithBothKindsOfCommit")
    void rowOfTwoProcessesAtSerializableRefusesNobody(Database database, boolean commitsByItself) throws Exception {
        createRow(database, "serializable_row");
        try (HikariDataSource here = serializable(database, commitsByItself);
                HikariDataSource there = serializable(database, commitsByItself)) {
            assertEachNumberIsGivenOnce(
                    Sequences.of(row(here, "serializable_row")), Sequences.of(row(there, "serializable_row")));
        }
    }

    @ParameterizedTest
    @MethodSource("databasesWithBothKindsOfCommit")
    void sequenceOfTwoProcessesAtSerializableRefusesNobody(Database database, boolean commitsByItself)
            throws Exception {
        database.execute("DROP SEQUENCE IF EXISTS serializable_number", "CREATE SEQUENCE serializable_number");
        try (HikariDataSource here = serializable(database, commitsByItself);
                HikariDataSource there = serializable(database, commitsByItself)) {
            assertEachNumberIsGivenOnce(
                    new CallersOf("serializable_number", Sequences.of(new DatabaseSequences(here))),
                    new CallersOf("serializable_number", Sequences.of(new DatabaseSequences(there))));
        }
    }

    private record CallersOf(String name, Sequences sequences) {}

    private static void assertEachNumberIsGivenOnce(Sequences here, Sequences there) throws Exception {
        assertEachNumberIsGivenOnce(new CallersOf("order_id", here), new CallersOf("order_id", there));
    }

    private static void assertEachNumberIsGivenOnce(CallersOf here, CallersOf there) throws Exception {
        List<WriteResult<List<Long>>> outcomes =
                SimultaneousCallers.all(CALLERS, caller -> numbers(caller % 2 == 0 ? here : there));
        assertThat(outcomes).extracting(WriteResult::failure).containsOnlyNulls();
        List<Long> all = new ArrayList<>();
        for (WriteResult<List<Long>> outcome : outcomes) {
            assertThat(outcome.value()).isSorted();
            all.addAll(outcome.value());
        }
        assertThat(all).hasSize(CALLERS * NUMBERS_EACH).doesNotHaveDuplicates();
    }

    private static Callable<List<Long>> numbers(CallersOf callers) {
        return () -> {
            List<Long> numbers = new ArrayList<>();
            for (int i = 0; i < NUMBERS_EACH; i++) {
                numbers.add(callers.sequences().next(callers.name()));
            }
            return numbers;
        };
    }

    @Test
    void isolationIsGivenBackAlsoWithoutAPoolThatDoesSo() throws Exception {
        createRow(Database.POSTGRESQL, "given_back");
        Database.POSTGRESQL.execute(
                "CREATE SEQUENCE given_back_failures",
                "CREATE FUNCTION fail_given_back() RETURNS trigger AS $$ BEGIN"
                        + " IF nextval('given_back_failures') <= 1 THEN RAISE SQLSTATE '40001'; END IF;"
                        + " IF current_setting('transaction_isolation') <> 'read committed' THEN"
                        + " RAISE 'at %', current_setting('transaction_isolation'); END IF;"
                        // Behind a proxy that lends the session for one transaction, other clients would have what is
                        // set for it.
                        + " IF current_setting('default_transaction_isolation') <> 'serializable' THEN"
                        + " RAISE 'session at %', current_setting('default_transaction_isolation'); END IF;"
                        + " RETURN NEW; END $$ LANGUAGE plpgsql",
                "CREATE TRIGGER failing BEFORE UPDATE ON given_back FOR EACH ROW EXECUTE FUNCTION fail_given_back()");
        try (Connection only = DriverManager.getConnection(Database.POSTGRESQL.url())) {
            only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            SequenceTable source = row(new OneConnection(only), "given_back");
            assertThat(source.take("order_id", 2)).containsExactly(1, 2);
            assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(source.take("order_id", 1))
                    .as("at once at READ COMMITTED")
                    .containsExactly(3);
            assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void connectionThatBreaksFailsNobody(Database database) throws Exception {
        for (boolean afterTheServerHasActed : List.of(false, true)) {
            createRow(database, "broken_row");
            database.execute("DROP SEQUENCE IF EXISTS broken_number", "CREATE SEQUENCE broken_number");
            try (NetworkPath path = new NetworkPath(database.port());
                    HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
                Sequences rows = Sequences.of(row(pool, "broken_row"));
                long first = rows.next("order_id");
                path.breakAt("UPDATE broken_row", afterTheServerHasActed);
                assertThat(rows.next("order_id")).isEqualTo(afterTheServerHasActed ? first + 2 : first + 1);
                assertThat(path.hasBroken()).isTrue();
                Sequences sequences = Sequences.of(new DatabaseSequences(pool));
                long number = sequences.next("broken_number");
                path.breakAt(
                        database == Database.POSTGRESQL ? "nextval" : "NEXT VALUE FOR broken_number",
                        afterTheServerHasActed);
                assertThat(sequences.next("broken_number")).isGreaterThan(number);
                assertThat(path.hasBroken()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void poolWhoseConnectionsWereAllKilledFailsNobody(Database database) throws Exception {
        createRow(database, "killed_connections");
        int connections = 4;
        try (HikariDataSource pool = Database.pool(connections, database.url())) {
            List<Connection> opened = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                Connection connection = pool.getConnection();
                opened.add(connection);
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(
                                database == Database.MARIADB ? "SELECT CONNECTION_ID()" : "SELECT pg_backend_pid()")) {
                    row.next();
                    ids.add(row.getString(1));
                }
            }
            for (Connection connection : opened) {
                connection.close();
            }
            for (String id : ids) {
                database.execute(
                        database == Database.MARIADB
                                ? "KILL CONNECTION " + id
                                : "SELECT pg_terminate_backend(" + id + ")");
            }
            assertThat(Sequences.of(row(pool, "killed_connections")).next("order_id"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void transactionThatIsRolledBackIsTriedAgain(Database database) throws Exception {
        createFailingRow(database, "rolled_back_row");
        Attempts attempts = new Attempts(SharedPools.of(database));
        attempts.beforeSecond = () -> database.execute("DROP TRIGGER rolled_back_row_failing"
                + (database == Database.POSTGRESQL ? " ON rolled_back_row" : ""));
        assertThat(Sequences.of(row(attempts, "rolled_back_row")).next("order_id"))
                .isEqualTo(1);
        assertThat(attempts.made).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void transactionThatIsAlwaysRolledBackFailsAfterTenAttempts(Database database) throws Exception {
        createFailingRow(database, "doomed_row");
        Attempts attempts = new Attempts(SharedPools.of(database));
        assertThatThrownBy(() -> row(attempts, "doomed_row").take("order_id", 1))
                .isInstanceOf(SQLException.class)
                .satisfies(failure ->
                        assertThat(((SQLException) failure).getSQLState()).startsWith("40"));
        assertThat(attempts.made).hasValue(SequenceRetry.MOST_ATTEMPTS);
    }

    @ParameterizedTest
    @EnumSource
    void lockThatDoesNotComeInTimeIsWaitedForAgain(Database database) throws Exception {
        createRow(database, "locked_row");
        try (HikariDataSource impatient = Database.pool(1, impatient(database));
                Connection other = DriverManager.getConnection(database.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE locked_row SET last_number = 100");
            Attempts attempts = new Attempts(impatient);
            attempts.beforeSecond = other::commit;
            assertThat(row(attempts, "locked_row").take("order_id", 1)).containsExactly(101);
            assertThat(attempts.made).hasValue(2);
        }
    }

    @Test
    void otherFailuresAreNotTriedAgain() throws Exception {
        Attempts attempts = new Attempts(SharedPools.of(Database.POSTGRESQL));
        assertThatThrownBy(() -> row(attempts, "no_such_table").take("order_id", 1))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> new DatabaseSequences(attempts).take("no_such_sequence", 1))
                .isInstanceOf(SequenceException.class);
        assertThat(attempts.made).hasValue(2);
    }

    @Test
    void poolThatGivesNoConnectionIsNotAskedAgain() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://localhost:1/none");
        config.setConnectionTimeout(250);
        config.setInitializationFailTimeout(-1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Attempts attempts = new Attempts(pool);
            assertThatThrownBy(() -> row(attempts, "any").take("order_id", 1))
                    .isInstanceOf(SQLTransientConnectionException.class);
            assertThat(attempts.made).hasValue(1);
        }
    }

    @Test
    void noAttemptBeginsLongAfterTheFirst() {
        SQLException deadlock = new SQLException("deadlock", "40001");
        long last = SequenceRetry.LAST_START_NANOS;
        assertThat(SequenceRetry.mayHelp(deadlock, 1, last - 1)).isTrue();
        assertThat(SequenceRetry.mayHelp(deadlock, 1, last)).isFalse();
        assertThat(SequenceRetry.mayHelp(deadlock, SequenceRetry.MOST_ATTEMPTS - 1, 0))
                .isTrue();
        assertThat(SequenceRetry.mayHelp(deadlock, SequenceRetry.MOST_ATTEMPTS, 0))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"55P03", "HYT00", "90131", "40P01", "08006", "57P01"})
    void aPassingFailureIsTriedAgain(String state) {
        SQLException chained = new SQLException("first", "23505");
        chained.setNextException(new SQLException("second", state));
        assertThat(SequenceRetry.mayHelp(chained, 1, 0)).isTrue();
    }

    @Test
    void vendorCodesCountOnlyWhereTheStateSaysNothing() {
        assertThat(SequenceRetry.mayHelp(new SQLException("lock wait", "HY000", 1205), 1, 0))
                .isTrue();
        assertThat(SequenceRetry.mayHelp(new SQLException("any", "HY000", 1206), 1, 0))
                .isFalse();
        assertThat(SequenceRetry.mayHelp(new SQLException("other", "42000", 1205), 1, 0))
                .isFalse();
        assertThat(SequenceRetry.mayHelp(new IllegalStateException("a bug"), 1, 0))
                .isFalse();
    }

    private static SequenceTable row(DataSource dataSource, String table) {
        return new SequenceTable(dataSource, table, "name", "last_number");
    }

    private static void createRow(Database database, String table) {
        database.execute(
                "DROP TABLE IF EXISTS " + table,
                "CREATE TABLE " + table + " (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)",
                "INSERT INTO " + table + " VALUES ('order_id', 0)");
    }

    /** A row of which the database rolls every update back, as it does with the victim of a deadlock. */
    private static void createFailingRow(Database database, String table) {
        createRow(database, table);
        String trigger = "CREATE TRIGGER " + table + "_failing BEFORE UPDATE ON " + table + " FOR EACH ROW ";
        switch (database) {
            case H2 -> database.execute(trigger + "CALL '" + FailingTrigger.class.getName() + "'");
            case MARIADB -> database.execute(trigger + "SIGNAL SQLSTATE '40001'");
            case POSTGRESQL ->
                database.execute(
                        "CREATE FUNCTION " + table + "_fail() RETURNS trigger AS"
                                + " 'BEGIN RAISE SQLSTATE ''40P01''; END' LANGUAGE plpgsql",
                        trigger + "EXECUTE FUNCTION " + table + "_fail()");
        }
    }

    private static HikariDataSource serializable(Database database, boolean commitsByItself) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setAutoCommit(commitsByItself);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        return new HikariDataSource(config);
    }

    /** An address whose sessions wait only a short time for a lock. */
    private static String impatient(Database database) {
        return switch (database) {
            case H2 -> "jdbc:h2:mem:tests;LOCK_TIMEOUT=100";
            case MARIADB -> database.url() + "&sessionVariables=innodb_lock_wait_timeout=1";
            case POSTGRESQL -> database.url() + "&options=-c%20lock_timeout=100ms";
        };
    }

    /** Something to be done that may fail. */
    private interface Step {
        void run() throws SQLException;
    }

    /** Counts how often a connection is asked for. */
    private static final class Attempts extends DelegatingDataSource {

        final AtomicInteger made = new AtomicInteger();
        Step beforeSecond = () -> {};

        Attempts(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (made.incrementAndGet() == 2) {
                beforeSecond.run();
            }
            return super.getConnection();
        }
    }

    /** Gives one connection again and again, and leaves it open and as it is. */
    private static final class OneConnection extends DelegatingDataSource {

        private final Connection only;

        OneConnection(Connection only) {
            super(SharedPools.of(Database.POSTGRESQL));
            this.only = only;
        }

        @Override
        public Connection getConnection() {
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            return null;
                        }
                        try {
                            return method.invoke(only, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
