package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.sql.StatementText;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A statement that returns rows gives them to its caller, and is never reported as refused when it is committed. */
class ReturnedRowsTests {

    /** Statements that insert a text into the table {@code returning_rows} and return its id. */
    static Stream<Arguments> inserting() {
        return Stream.of(
                Arguments.of(Database.H2, "SELECT id FROM FINAL TABLE (INSERT INTO returning_rows (text) VALUES (?))"),
                Arguments.of(Database.MARIADB, "INSERT INTO returning_rows (text) VALUES (?) RETURNING id"),
                Arguments.of(Database.MARIADB, "CALL insert_returning(?)"),
                Arguments.of(Database.POSTGRESQL, "INSERT INTO returning_rows (text) VALUES (?) RETURNING id"),
                Arguments.of(Database.POSTGRESQL, "SELECT insert_returning(?)"),
                Arguments.of(
                        Database.POSTGRESQL,
                        "WITH row AS (INSERT INTO returning_rows (text) VALUES (?) RETURNING id) SELECT id FROM row"));
    }

    private static void createTable(Database database) {
        database.table("returning_rows");
        if (database == Database.POSTGRESQL) {
            database.execute("CREATE OR REPLACE FUNCTION insert_returning(given VARCHAR) RETURNS BIGINT LANGUAGE sql AS"
                    + " 'INSERT INTO returning_rows (text) VALUES (given) RETURNING id'");
        } else if (database == Database.MARIADB) {
            database.execute(
                    "DROP PROCEDURE IF EXISTS insert_returning",
                    "CREATE PROCEDURE insert_returning(given VARCHAR(40)) BEGIN"
                            + " INSERT INTO returning_rows (text) VALUES (given); SELECT LAST_INSERT_ID(); END");
        }
    }

    private static void assertIdOf(Database database, String text, RowOutcome outcome) {
        assertThat(outcome.returnedRows()).hasSize(1);
        assertThat(database.query("SELECT id FROM returning_rows WHERE text = '" + text + "'"))
                .containsExactly(String.valueOf(outcome.returnedRows().get(0).get(0)));
    }

    @ParameterizedTest
    @MethodSource("inserting")
    void aLoneCallerGetsWhatItsStatementReturned(Database database, String sql) throws Exception {
        createTable(database);
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool);
            RowStatement insert = RowStatement.of(sql);
            assertIdOf(database, "first", commits.execute(insert, "first"));
            assertIdOf(database, "second", commits.execute(insert, "second"));
            assertThat(database.query("SELECT text FROM returning_rows")).hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("inserting")
    void eachCallerOfABatchGetsWhatItsOwnStatementReturned(Database database, String sql) throws Exception {
        createTable(database);
        database.execute("INSERT INTO returning_rows (text) VALUES ('taken')");
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(6));
            RowStatement insert = RowStatement.of(sql);
            List<CompletableFuture<RowOutcome>> futures = IntStream.range(0, 6)
                    .mapToObj(row -> commits.submit(insert, row == 3 ? "taken" : "row " + row))
                    .toList();
            for (int row = 0; row < 6; row++) {
                if (row == 3) {
                    assertThatThrownBy(futures.get(row)::join).hasCauseInstanceOf(SQLException.class);
                } else {
                    assertIdOf(database, "row " + row, futures.get(row).join());
                }
            }
            assertThat(database.query("SELECT text FROM returning_rows")).hasSize(6);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void theRowsThatAreReturnedAreCounted(Database database) throws Exception {
        createTable(database);
        database.execute("INSERT INTO returning_rows (text) VALUES ('a1'), ('a2'), ('b1')");
        RowStatement delete = RowStatement.of("DELETE FROM returning_rows WHERE text LIKE ? RETURNING text");
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(2));
            CompletableFuture<RowOutcome> none = commits.submit(delete, "c%");
            RowOutcome two = commits.execute(delete, "a%");
            assertThat(none.join().updateCount()).isZero();
            assertThat(none.join().returnedRows()).isEmpty();
            assertThat(two.updateCount()).isEqualTo(2);
            assertThat(two.returnedRows()).containsExactlyInAnyOrder(List.of("a1"), List.of("a2"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aRowWhoseReturnedValuesCannotBeReadIsNotWritten(Database database) throws Exception {
        createTable(database);
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            GroupCommit commits = new GroupCommit(watched);
            watched.before = step -> {
                if (step.equals("getResultSet")) {
                    throw new SQLException("cannot be read", "XX000");
                }
            };
            RowStatement insert = RowStatement.of("INSERT INTO returning_rows (text) VALUES (?) RETURNING id");
            assertThatThrownBy(() -> commits.execute(insert, "a"))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("cannot be read");
            assertThat(database.query("SELECT text FROM returning_rows")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            INSERT INTO a VALUES (?)                                                      | false
            /* a SELECT */ insert into a values ('call')                                  | false
            -- RETURN\\nUPDATE a SET b = ?                                                 | false
            MERGE INTO a USING (SELECT 1) ON (b = 1) WHEN MATCHED THEN DELETE             | false
            REPLACE INTO a VALUES (?)                                                     | false
            WITH x AS (SELECT 1), y AS (SELECT (2)) UPDATE a SET b = ?                    | false
            INSERT INTO a (output) VALUES (?)                                             | false
            WITH x AS (INSERT INTO a VALUES (?)) SELECT 1                                 | true
            INSERT INTO a VALUES (?) RETURNING id                                         | true
            DELETE FROM a OUTPUT deleted.id WHERE b = ?                                   | true
            (SELECT 1)                                                                    | true
            { call insert_it(?) }                                                         | true
            { ? = call insert_it(?) }                                                     | true
            CALL insert_it(?)                                                             | true
            """)
    void itsTextSaysWhetherAStatementMayReturnRows(String sql, boolean mayReturnRows) {
        assertThat(StatementText.mayReturnRows(sql.replace("\\n", "\n"))).isEqualTo(mayReturnRows);
    }

    @Test
    void aStatementWithoutAWordMayReturnAnything() {
        assertThat(StatementText.mayReturnRows("?")).isTrue();
    }
}
