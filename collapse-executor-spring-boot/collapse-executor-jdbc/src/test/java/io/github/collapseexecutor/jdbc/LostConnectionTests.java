package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers are told when the network breaks, at each point at which it matters. */
class LostConnectionTests {

    private static List<Object> outcomes(Stream<CompletableFuture<RowOutcome>> futures) {
        return futures.toList().stream()
                .map(future -> future.handle(
                                (outcome, failure) -> failure == null ? (Object) outcome.updateCount() : failure)
                        .join())
                .toList();
    }

    private static Stream<CompletableFuture<RowOutcome>> submit(GroupCommit commits, String table, String... texts) {
        RowStatement insert = RowStatement.of("INSERT INTO " + table + " (text) VALUES (?)");
        return Stream.of(texts).map(text -> commits.submit(insert, text));
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aBatchIsWrittenOnceMoreIfTheConnectionBreaksBeforeTheCommit(Database database) throws Exception {
        for (boolean afterTheServerHasActed : List.of(false, true)) {
            String table = database.table("retried");
            try (NetworkPath path = new NetworkPath(database.port());
                    HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
                GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
                path.breakAt("INSERT INTO retried", afterTheServerHasActed);
                assertThat(outcomes(submit(commits, table, "a", "b", "c"))).containsExactly(1, 1, 1);
                assertThat(path.hasBroken()).isTrue();
                assertThat(database.query("SELECT text FROM retried ORDER BY text"))
                        .containsExactly("a", "b", "c");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void theOutcomeIsUnknownIfTheConnectionBreaksInTheCommit(Database database) throws Exception {
        for (boolean afterTheServerHasActed : List.of(false, true)) {
            String table = database.table("uncertain");
            database.execute("INSERT INTO uncertain (text) VALUES ('taken')");
            try (NetworkPath path = new NetworkPath(database.port());
                    HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
                GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
                path.breakAt(database == Database.MARIADB ? "set autocommit=1" : "COMMIT", afterTheServerHasActed);
                List<Object> outcomes = outcomes(submit(commits, table, "a", "taken", "c"));
                assertThat(path.hasBroken()).isTrue();
                assertThat(outcomes.get(0)).isInstanceOf(OutcomeUnknownException.class);
                // It was refused before the commit, and so it is certain that it is not there.
                assertThat(outcomes.get(1)).isInstanceOf(SQLException.class);
                assertThat(outcomes.get(2))
                        .isInstanceOf(OutcomeUnknownException.class)
                        .isNotSameAs(outcomes.get(0));
                assertThat(database.query("SELECT text FROM uncertain WHERE text <> 'taken' ORDER BY text"))
                        .containsExactlyElementsOf(afterTheServerHasActed ? List.of("a", "c") : List.of());
            }
        }
    }

    /** Else a caller would be told that its key is there already, though the row that had it is not. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aRowThatWasRefusedForAnotherOneOfItsBatchIsWrittenIfThatOneIsNotThere(Database database) throws Exception {
        for (boolean afterTheServerHasActed : List.of(false, true)) {
            String table = database.table("refused");
            try (NetworkPath path = new NetworkPath(database.port());
                    HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
                GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
                path.breakAt(database == Database.MARIADB ? "set autocommit=1" : "COMMIT", afterTheServerHasActed);
                List<Object> outcomes = outcomes(submit(commits, table, "a", "a", "b"));
                assertThat(path.hasBroken()).isTrue();
                assertThat(outcomes.get(0)).isInstanceOf(OutcomeUnknownException.class);
                assertThat(outcomes.get(2)).isInstanceOf(OutcomeUnknownException.class);
                if (afterTheServerHasActed) {
                    assertThat(outcomes.get(1)).isInstanceOf(SQLException.class);
                } else {
                    assertThat(outcomes.get(1)).isEqualTo(1);
                }
                assertThat(database.query("SELECT text FROM refused ORDER BY text"))
                        .containsExactlyElementsOf(afterTheServerHasActed ? List.of("a", "b") : List.of("a"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void theOutcomeOfALoneRowIsUnknownIfTheConnectionBreaks(Database database) throws Exception {
        for (boolean afterTheServerHasActed : List.of(false, true)) {
            String table = database.table("alone");
            try (NetworkPath path = new NetworkPath(database.port());
                    HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
                GroupCommit commits = new GroupCommit(pool);
                path.breakAt("INSERT INTO alone", afterTheServerHasActed);
                assertThat(outcomes(submit(commits, table, "a")))
                        .hasSize(1)
                        .hasOnlyElementsOfType(OutcomeUnknownException.class);
                assertThat(database.query("SELECT COUNT(*) FROM alone"))
                        .containsExactly(afterTheServerHasActed ? "1" : "0");
            }
        }
    }

    private static final String CONNECTING_AGAIN = "jdbc:mariadb:sequential:";

    /** MariaDB's driver says with a state of its own that it has connected again, and the connection works then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theOutcomeIsUnknownIfTheDriverConnectsAgain(boolean afterTheServerHasActed) throws Exception {
        Database database = Database.MARIADB;
        String table = database.table("connected_again");
        String url = database.url().replace("jdbc:mariadb:", CONNECTING_AGAIN);
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(url))) {
            GroupCommit inStatement = new GroupCommit(
                    pool,
                    GroupCommitTests.full(2).toBuilder().commitInStatement(true).build());
            path.breakAt("INSERT INTO connected_again", afterTheServerHasActed);
            assertThat(outcomes(submit(new GroupCommit(pool), table, "a")))
                    .hasSize(1)
                    .hasOnlyElementsOfType(OutcomeUnknownException.class);
            path.breakAt("INSERT INTO connected_again", afterTheServerHasActed);
            assertThat(outcomes(submit(inStatement, table, "b", "c")))
                    .hasSize(2)
                    .hasOnlyElementsOfType(OutcomeUnknownException.class);
            assertThat(database.query("SELECT text FROM connected_again ORDER BY text"))
                    .containsExactlyElementsOf(afterTheServerHasActed ? List.of("a", "b", "c") : List.of());
        }
    }

    /** Unless it has sent a commit, MariaDB's driver may execute the transaction once more over another connection. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommittedBatchIsNotWrittenOnceMoreByADriverThatReplaysTransactions(boolean afterTheServerHasActed)
            throws Exception {
        Database database = Database.MARIADB;
        database.execute("DROP TABLE IF EXISTS replayed", "CREATE TABLE replayed (text VARCHAR(20))");
        String url = database.url().replace("jdbc:mariadb:", CONNECTING_AGAIN) + "&transactionReplay=true";
        try (NetworkPath path = new NetworkPath(database.port());
                WatchedDataSource watched = new WatchedDataSource(Database.pool(2, path.through(url)))) {
            watched.before = step -> {
                if (step.equals("commit")) {
                    path.breakNext(afterTheServerHasActed);
                }
            };
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(3));
            assertThat(outcomes(submit(commits, "replayed", "a", "b", "c")))
                    .hasSize(3)
                    .hasOnlyElementsOfType(OutcomeUnknownException.class);
            assertThat(path.hasBroken()).isTrue();
            assertThat(database.query("SELECT text FROM replayed ORDER BY text"))
                    .containsExactlyElementsOf(afterTheServerHasActed ? List.of("a", "b", "c") : List.of());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MARIADB, HY000, 1026",
        "MARIADB, HY000, 1180",
        "MARIADB, HY000, 1598",
        "H2, 90028, 90028",
        "H2, 90031, 90031"
    })
    void theOutcomeOfALoneRowIsUnknownIfItsCommitFailsInTheLog(Database database, String state, int code) {
        String table = database.table("logged");
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            watched.after = step -> {
                if (step.equals("execute")) {
                    throw new SQLException("error of the log", state, code);
                }
            };
            GroupCommit commits = new GroupCommit(watched);
            assertThat(outcomes(submit(commits, table, "a")))
                    .hasSize(1)
                    .hasOnlyElementsOfType(OutcomeUnknownException.class);
            assertThat(database.query("SELECT text FROM logged")).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL"})
    void aMergedUpdateIsUnknownToAllCallersThatArePartOfIt(Database database) throws Exception {
        database.execute(
                "DROP TABLE IF EXISTS cut_stock", "CREATE TABLE cut_stock (id BIGINT PRIMARY KEY, balance INT)");
        database.execute("INSERT INTO cut_stock VALUES (1, 10)");
        MergedUpdate<Long, Integer> deduction = MergedUpdate.of(
                "UPDATE cut_stock SET balance = balance - ? WHERE id = ?",
                (statement, id, count) -> {
                    statement.setInt(1, count);
                    statement.setLong(2, id);
                },
                Integer::sum);
        try (NetworkPath path = new NetworkPath(database.port());
                HikariDataSource pool = Database.pool(2, path.through(database.url()))) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, deduction, GroupCommitTests.full(2));
            path.breakAt("UPDATE cut_stock", true);
            List<CompletableFuture<Boolean>> futures = List.of(stock.submit(1L, 1), stock.submit(1L, 2));
            List<Throwable> failures = futures.stream()
                    .map(future -> future.handle((taken, failure) -> failure).join())
                    .toList();
            assertThat(failures)
                    .hasOnlyElementsOfType(OutcomeUnknownException.class)
                    .doesNotHaveDuplicates();
            assertThat(database.query("SELECT balance FROM cut_stock")).containsExactly("7");
        }
    }
}
