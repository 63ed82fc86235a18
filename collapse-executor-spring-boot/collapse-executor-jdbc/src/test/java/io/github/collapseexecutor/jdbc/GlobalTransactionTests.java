package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers in transactions of JTA, of which only their data source knows. */
class GlobalTransactionTests {

    @ParameterizedTest
    @CsvSource({"H2, true", "H2, false", "POSTGRESQL, true", "POSTGRESQL, false", "MARIADB, true", "MARIADB, false"})
    void rollbackOfTheCallerGivesNoNumbersOfATableBack(Database database, boolean saysThatItCommits) throws Exception {
        String table = "global_row_" + saysThatItCommits;
        database.execute(
                "CREATE TABLE " + table + " (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)",
                "INSERT INTO " + table + " VALUES ('order_id', 0)");
        GlobalTransactions transactions = new GlobalTransactions(SharedPools.of(database), saysThatItCommits);
        assertThat(numbers(transactions, new SequenceTable(transactions, table, "name", "last_number"), "order_id"))
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @CsvSource({"H2, true", "H2, false", "POSTGRESQL, true", "POSTGRESQL, false", "MARIADB, true", "MARIADB, false"})
    void numbersOfASequenceAreTakenInTransactions(Database database, boolean saysThatItCommits) throws Exception {
        String sequence = "global_sequence_" + saysThatItCommits;
        database.execute("CREATE SEQUENCE " + sequence);
        GlobalTransactions transactions = new GlobalTransactions(SharedPools.of(database), saysThatItCommits);
        assertThat(numbers(transactions, new DatabaseSequences(transactions), sequence))
                .containsExactly(1L, 2L, 3L, 4L);
    }

    /** Two in a transaction that rolls back, and two after it, of which another process takes the second. */
    private static List<Long> numbers(GlobalTransactions transactions, SequenceSource source, String name)
            throws SQLException, InterruptedException {
        Sequences sequences = Sequences.of(source);
        transactions.begin();
        long first;
        long second;
        try {
            first = sequences.next(name);
            second = sequences.next(name);
        } finally {
            transactions.rollback();
        }
        return List.of(first, second, sequences.next(name), Sequences.of(source).next(name));
    }

    @ParameterizedTest
    @CsvSource({"H2, true", "H2, false", "POSTGRESQL, true", "POSTGRESQL, false", "MARIADB, true", "MARIADB, false"})
    void rowsStayIfTransactionsOfTheirCallersRollBack(Database database, boolean saysThatItCommits) throws Exception {
        database.table("in_global");
        try (HikariDataSource pool = database.pool(20)) {
            GlobalTransactions transactions = new GlobalTransactions(pool, saysThatItCommits);
            GroupCommit commits = new GroupCommit(transactions);
            RowStatement insert = RowStatement.of("INSERT INTO in_global (text) VALUES (?)");
            List<WriteResult<RowOutcome>> outcomes = SimultaneousCallers.all(16, index -> () -> {
                transactions.begin();
                try {
                    return commits.execute(insert, "row " + index);
                } finally {
                    transactions.rollback();
                }
            });
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.failure()).isNull());
            assertThat(database.query("SELECT text FROM in_global"))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 16)
                            .mapToObj(index -> "row " + index)
                            .toList());
        }
    }
}
