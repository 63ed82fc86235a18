package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.connection.FailureKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A trigger may refuse a row with any state: it is the row's failure, unless the state says that the connection or transaction is lost. */
class FailureStatesTests {

    private static final String INSERT = "INSERT INTO refused (text) VALUES (?)";
    static final String WRITTEN = "written";
    private static final long SEED = Long.getLong("write.matrix.seed", 1);
    private static final String CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    /** A state of every class that can be written, but for success and, on MariaDB, warnings. */
    private static List<String> states(MatrixDriver driver) {
        return CHARACTERS
                .chars()
                .boxed()
                .flatMap(first -> CHARACTERS.chars().mapToObj(second -> "" + (char) (int) first + (char) second))
                .filter(state -> !state.equals("00") && !(state.equals("01") && driver.database == Database.MARIADB))
                .map(state -> state + (state.equals("0A") ? "000" : "001"))
                .toList();
    }

    /** A table whose trigger refuses each row with the state that it holds, if that is one. */
    private static void createTable(MatrixDriver driver) {
        Database database = driver.database;
        database.execute(
                "DROP TABLE IF EXISTS refused",
                "CREATE TABLE refused (id BIGINT " + database.identity() + ", text VARCHAR(20) UNIQUE)",
                switch (database) {
                    case MARIADB ->
                        states(driver).stream()
                                .map(state -> "WHEN '%1$s' THEN SIGNAL SQLSTATE '%1$s';".formatted(state))
                                .collect(Collectors.joining(
                                        "\n",
                                        "CREATE TRIGGER refuse BEFORE INSERT ON refused FOR EACH ROW CASE NEW.text ",
                                        " ELSE BEGIN END; END CASE"));
                    case POSTGRESQL ->
                        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                                + " IF length(NEW.text) = 5 THEN RAISE EXCEPTION USING ERRCODE = NEW.text; END IF;"
                                + " RETURN NEW; END $$; CREATE TRIGGER refuse BEFORE INSERT ON refused"
                                + " FOR EACH ROW EXECUTE FUNCTION refuse()";
                    case H2 ->
                        "CREATE TRIGGER refuse BEFORE INSERT ON refused FOR EACH ROW CALL '" + Refusal.class.getName()
                                + "'";
                });
    }

    /** The trigger of H2. */
    public static final class Refusal implements Trigger {

        @Override
        public void fire(Connection connection, Object[] before, Object[] row) throws SQLException {
            String state = String.valueOf(row[1]);
            if (state.length() == 5) {
                throw new SQLException("refused", state);
            }
        }
    }

    private static FailureKind expected(String state) {
        return switch (state.substring(0, 2)) {
            case "08" -> state.equals("08P01") ? FailureKind.STATEMENT : FailureKind.CONNECTION;
            case "40" -> FailureKind.TRANSACTION;
            default -> FailureKind.STATEMENT;
        };
    }

    @ParameterizedTest
    @EnumSource
    void onlyClass08IsALossAndClass40ARollback(MatrixDriver driver) throws SQLException {
        createTable(driver);
        Map<String, FailureKind> kinds = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(driver.url());
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (String state : states(driver)) {
                insert.setString(1, state);
                try {
                    insert.executeUpdate();
                } catch (SQLException failure) {
                    assertThat(failure.getSQLState()).isEqualTo(state);
                    kinds.put(state, FailureKind.of(failure));
                }
            }
        }
        assertThat(kinds).containsOnlyKeys(states(driver));
        assertThat(kinds.entrySet().stream().filter(kind -> kind.getValue() != expected(kind.getKey())))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatIsRefusedFailsAloneWithItsStateAndTakesNoOtherWithIt(MatrixDriver driver) {
        createTable(driver);
        List<String> refused = new ArrayList<>(states(driver));
        refused.removeIf(state -> expected(state) != FailureKind.STATEMENT);
        Collections.shuffle(refused, new Random(SEED));
        RowStatement insert = RowStatement.of(INSERT);
        try (HikariDataSource pool = Database.pool(1, driver.url())) {
            GroupCommit commits = new GroupCommit(pool);
            for (String state : refused.subList(0, 40)) {
                assertThat(stateOf(commits.submit(insert, state)))
                        .as("alone, seed %d", SEED)
                        .isEqualTo(state);
            }
            GroupCommit full = new GroupCommit(pool, GroupCommitTests.full(200));
            List<String> rows = IntStream.range(0, 200)
                    .mapToObj(row -> row % 5 == 2 ? refused.get(row / 5) : "good row " + row)
                    .toList();
            List<CompletableFuture<RowOutcome>> writes =
                    rows.stream().map(row -> full.submit(insert, row)).toList();
            assertThat(writes.stream().map(FailureStatesTests::stateOf))
                    .as("40 of 200, seed %d", SEED)
                    .containsExactlyElementsOf(rows.stream()
                            .map(row -> row.startsWith("good") ? WRITTEN : row)
                            .toList());
            assertThat(driver.database.query("SELECT id FROM refused")).hasSize(160);
        }
    }

    @Test
    void aRowThatTheCheckOptionOfAViewRefusesFailsAlone() {
        Database.MARIADB.table("viewed");
        Database.MARIADB.execute(
                "CREATE OR REPLACE VIEW short_texts AS SELECT * FROM viewed WHERE LENGTH(text) < 9 WITH CHECK OPTION");
        try (HikariDataSource pool = Database.MARIADB.pool(1)) {
            RowStatement insert = RowStatement.of("INSERT INTO short_texts (text) VALUES (?)");
            GroupCommit full = new GroupCommit(pool, GroupCommitTests.full(3));
            List<CompletableFuture<RowOutcome>> writes = Stream.of("a", "longer than that", "b")
                    .map(text -> full.submit(insert, text))
                    .toList();
            assertThat(writes.stream().map(FailureStatesTests::stateOf)).containsExactly(WRITTEN, "44000", WRITTEN);
            assertThat(stateOf(new GroupCommit(pool).submit(insert, "longer than that")))
                    .isEqualTo("44000");
        }
    }

    static String stateOf(CompletableFuture<RowOutcome> write) {
        return write.handle((outcome, failure) -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    return cause == null
                            ? WRITTEN
                            : cause instanceof SQLException sql ? sql.getSQLState() : cause.toString();
                })
                .join();
    }
}
