package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.sequence.NumberProof;
import io.github.collapseexecutor.sequence.SequenceException;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.sequence.UnknownSequenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of a table of H2, PostgreSQL and MariaDB, each a real server. */
class SequenceTableTests {

    @ParameterizedTest
    @EnumSource
    void eachNumberIsGivenOnceWithFewRoundTrips(Database database) throws Exception {
        createTable(database, "proof_row", "BIGINT NOT NULL", "0");
        CountingDataSource counted = new CountingDataSource(SharedPools.of(database));
        Sequences sequences = Sequences.of(table(counted, "proof_row"));
        long[] numbers = NumberProof.numbersOf(() -> sequences.next("order_id"));
        assertThat(numbers[0]).isEqualTo(1);
        assertThat(numbers[NumberProof.NUMBERS - 1])
                .as("nothing was taken for nobody")
                .isEqualTo(NumberProof.NUMBERS);
        assertThat(counted.roundTrips).hasValueLessThanOrEqualTo(database.roundTripsFor(NumberProof.NUMBERS));
    }

    @ParameterizedTest
    @EnumSource
    void futuresGetEachNumberOnce(Database database) throws Exception {
        createTable(database, "async_row", "BIGINT NOT NULL", "0");
        Sequences sequences = Sequences.of(table(SharedPools.of(database), "async_row"));
        long[] numbers = NumberProof.numbersOf(() -> {
            CompletableFuture<Long> first = sequences.nextAsync("order_id");
            long second = sequences.nextAsync("order_id").get();
            first.get();
            return second;
        });
        assertThat(numbers[NumberProof.NUMBERS - 1]).isLessThanOrEqualTo(2L * NumberProof.NUMBERS);
    }

    @ParameterizedTest
    @EnumSource
    void aRoundTripTakesOneStatement(Database database) throws Exception {
        createTable(database, "one_statement", "BIGINT NOT NULL", "41");
        CountingDataSource counted = new CountingDataSource(SharedPools.of(database));
        SequenceTable source = table(counted, "one_statement");
        assertThat(source.take("order_id", 3)).containsExactly(42, 43, 44);
        assertThat(source.take("order_id", 1)).containsExactly(45);
        assertThat(counted.roundTrips).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void rollbackOfTheCallerGivesNothingBack(Database database) throws Exception {
        createTable(database, "rolled_back", "BIGINT NOT NULL", "0");
        Sequences sequences = Sequences.of(table(SharedPools.of(database), "rolled_back"));
        try (Connection connection = SharedPools.of(database).getConnection()) {
            connection.setAutoCommit(false);
            assertThat(sequences.next("order_id")).isEqualTo(1);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(sequences.next("order_id")).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void connectionsThatDoNotCommitByThemselvesAreCommitted(Database database) throws Exception {
        createTable(database, "uncommitted_row", "BIGINT NOT NULL", "0");
        ManualCommits connections = new ManualCommits(SharedPools.of(database));
        SequenceTable source = table(connections, "uncommitted_row");
        assertThat(source.take("order_id", 2)).containsExactly(1, 2);
        assertThatThrownBy(() -> source.take("missing", 1)).isInstanceOf(UnknownSequenceException.class);
        assertThat(connections.ended).containsExactly("commit", "rollback");
        assertThat(table(SharedPools.of(database), "uncommitted_row").take("order_id", 1))
                .containsExactly(3);
    }

    @ParameterizedTest
    @EnumSource
    void unknownNameIsAnErrorThatSaysHowToCreateIt(Database database) throws Exception {
        createTable(database, "names", "BIGINT", "0");
        Sequences sequences = Sequences.of(table(SharedPools.of(database), "names"));
        assertThatThrownBy(() -> sequences.next("it's missing"))
                .isInstanceOf(UnknownSequenceException.class)
                .hasMessageContaining("Table names has no row whose name is 'it's missing'")
                .hasMessageContaining("INSERT INTO names (name, last_number) VALUES");
        database.execute("INSERT INTO names VALUES ('empty', NULL)");
        assertThatThrownBy(() -> sequences.next("empty")).isInstanceOf(UnknownSequenceException.class);
    }

    @ParameterizedTest
    @EnumSource
    void missingTableIsAnErrorThatTheDatabaseExplains(Database database) {
        Sequences sequences = Sequences.of(table(SharedPools.of(database), "no_such_table"));
        assertThatThrownBy(() -> sequences.next("order_id"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("'order_id'")
                .hasCauseInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @EnumSource
    void severalRowsOfANameAreAnError(Database database) throws Exception {
        database.execute(
                "CREATE TABLE ambiguous (name VARCHAR(100), last_number BIGINT)",
                "INSERT INTO ambiguous VALUES ('order_id', 0)",
                "INSERT INTO ambiguous VALUES ('order_id', 7)");
        assertThatThrownBy(() -> table(SharedPools.of(database), "ambiguous").take("order_id", 1))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("several rows whose name is 'order_id'")
                .hasMessageContaining("primary key");
    }

    @ParameterizedTest
    @EnumSource
    void numberBeyondTheColumnGivesNoNumber(Database database) throws Exception {
        createTable(database, "full_row", "BIGINT NOT NULL", String.valueOf(Long.MAX_VALUE - 2));
        SequenceTable source = table(SharedPools.of(database), "full_row");
        assertThatThrownBy(() -> source.take("order_id", 3)).isInstanceOf(SQLException.class);
        assertThat(source.take("order_id", 2)).containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE);
        createTable(database, "narrow_row", "SMALLINT NOT NULL", "32766");
        SequenceTable narrow = table(SharedPools.of(database), "narrow_row");
        assertThatThrownBy(() -> narrow.take("order_id", 2)).isInstanceOf(SQLException.class);
        assertThat(narrow.take("order_id", 1)).containsExactly(32767);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "t WHERE 1=1--", "a.b.c"})
    void aNameThatIsNoTableIsRefused(String table) {
        assertThatThrownBy(() -> table(SharedPools.of(Database.H2), table).take("order_id", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table is '" + table + "'");
    }

    @Test
    void aNameThatIsNoColumnIsRefused() {
        DataSource h2 = SharedPools.of(Database.H2);
        assertThatThrownBy(() -> new SequenceTable(h2, "t", "a = a OR a", "b").take("order_id", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nameColumn is 'a = a OR a'");
        assertThatThrownBy(() -> new SequenceTable(h2, "t", "a", "b = 0, c").take("order_id", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("numberColumn is 'b = 0, c'");
    }

    @ParameterizedTest
    @EnumSource
    void aNegativeNumberIsIncreasedOrRefused(Database database) throws Exception {
        createTable(database, "negative_row", "BIGINT NOT NULL", "-5");
        SequenceTable source = table(SharedPools.of(database), "negative_row");
        if (database == Database.MARIADB) {
            assertThatThrownBy(() -> source.take("order_id", 2))
                    .isInstanceOf(UnknownSequenceException.class)
                    .hasMessageContaining("0 or more");
        } else {
            assertThat(source.take("order_id", 2)).containsExactly(-4, -3);
        }
    }

    /** A constraint that is checked by the commit refuses it. */
    @Test
    void noNumberIsGivenThatWasNotCommitted() {
        Database.POSTGRESQL.execute(
                "CREATE TABLE allowed (number BIGINT PRIMARY KEY)",
                "INSERT INTO allowed VALUES (0)",
                "CREATE TABLE bounded (name VARCHAR(100) PRIMARY KEY,"
                        + " last_number BIGINT REFERENCES allowed DEFERRABLE INITIALLY DEFERRED)",
                "INSERT INTO bounded VALUES ('order_id', 0)");
        for (DataSource dataSource :
                List.of(new ManualCommits(SharedPools.of(Database.POSTGRESQL)), SharedPools.of(Database.POSTGRESQL))) {
            SequenceTable source = table(dataSource, "bounded");
            assertThatThrownBy(() -> source.take("order_id", 1))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("foreign key");
        }
        assertThat(Database.POSTGRESQL.query("SELECT last_number FROM bounded")).containsExactly("0");
    }

    @Test
    void databaseWithoutKnownStatementsIsNamed() {
        assertThatThrownBy(() -> table(new RenamedDatabase("Oracle"), "names").take("order_id", 1))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("The database is 'Oracle'")
                .hasMessageContaining("implement SequenceSource");
    }

    @Test
    void mySqlHasRowsButNoSequences() throws Exception {
        assertThatThrownBy(() -> new DatabaseSequences(new RenamedDatabase("MySQL")).take("order_id", 1))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("MySQL")
                .hasMessageContaining("SequenceTable");
        createTable(Database.MARIADB, "as_mysql", "BIGINT NOT NULL", "0");
        assertThat(table(new RenamedDatabase("MySQL"), "as_mysql").take("order_id", 2))
                .as("the statement of MySQL, which MariaDB understands")
                .containsExactly(1, 2);
    }

    private static SequenceTable table(DataSource dataSource, String table) {
        return new SequenceTable(dataSource, table, "name", "last_number");
    }

    private static void createTable(Database database, String table, String type, String last) throws SQLException {
        database.execute(
                "CREATE TABLE " + table + " (name VARCHAR(100) PRIMARY KEY, last_number " + type + ")",
                "INSERT INTO " + table + " VALUES ('order_id', " + last + ")");
    }
}
