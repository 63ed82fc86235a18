package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.OneMethodReplaced.Way;
import io.github.collapseexecutor.sequence.SequenceSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A driver, a pool or a proxy may lack a single method of JDBC, fail in it, or answer it with nothing. Whatever callers are told is true then, wherever it is
 * true of what is written by hand over the same connections, and nobody waits for ever. Each method that the library calls is tried: in the normal build
 * with nothing for an answer and in one other way in turn, with {@code -Pproofs} in each way.
 */
class EveryJdbcMethodTests {

    private static final boolean ALL = Boolean.getBoolean("write.matrix.all");

    private static final String TABLE = "every_method";
    private static final String STOCK = "every_stock";
    private static final String NUMBERS = "every_number";
    private static final String INSERT = "INSERT INTO " + TABLE + " (text) VALUES (?)";
    private static final String DEDUCT = "UPDATE " + STOCK + " SET balance = balance - ? WHERE id = ? AND balance >= ?";
    private static final int BALANCE = 10;
    private static final List<Integer> PARTS = List.of(3, 99, 4, 5);

    // mutable, confined to the test
    private long number;

    private int turn;

    /** Something that is done over connections in a run of its own; it tells what is wrong with what it was told. */
    private interface Work {

        List<String> mistakes(OneMethodReplaced connections, long run) throws Exception;
    }

    /** Does something with each method replaced in each way, where what is done by hand is right. */
    private void compare(Database database, Work work, Work byHand) throws Exception {
        OneMethodReplaced nothing = new OneMethodReplaced(database, "nothing", Way.REFUSED);
        assertThat(work.mistakes(nothing, number++)).isEmpty();
        int tried = 0;
        List<String> wrong = new ArrayList<>();
        for (String method : nothing.called()) {
            Way[] ways = Way.values();
            turn++;
            for (Way way : ALL ? ways : new Way[] {Way.TELLS_NOTHING, ways[turn % (ways.length - 1)]}) {
                OneMethodReplaced plain = new OneMethodReplaced(database, method, way);
                if (byHand.mistakes(plain, number++).isEmpty()) {
                    tried++;
                    OneMethodReplaced replaced = new OneMethodReplaced(database, method, way);
                    work.mistakes(replaced, number++)
                            .forEach(mistake -> wrong.add(method + " " + way + ": " + mistake));
                    replaced.closeAll();
                }
                plain.closeAll();
            }
        }
        nothing.closeAll();
        assertThat(tried).isGreaterThan(nothing.called().size());
        assertThat(wrong).as("%s set-ups", tried).isEmpty();
    }

    /** What came of a future; null if nothing is known. */
    private static <T> @Nullable WriteResult<T> resultOf(CompletableFuture<T> future) throws Exception {
        try {
            return WriteResult.of(future.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause() instanceof OutcomeUnknownException ? null : WriteResult.failed(e.getCause());
        }
    }

    /** What is written by hand, with automatic commit or in a transaction. */
    private interface Statements<T> {

        T run(Connection connection) throws SQLException;
    }

    private static <T> WriteResult<T> byHand(Connection connection, boolean alone, Statements<T> statements) {
        try {
            if (!alone) {
                connection.setAutoCommit(false);
            }
            T result = statements.run(connection);
            if (!alone) {
                connection.commit();
            }
            return WriteResult.of(result);
        } catch (SQLException | RuntimeException | LinkageError e) {
            if (!alone) {
                try {
                    connection.rollback();
                } catch (SQLException | RuntimeException | LinkageError ignored) {
                    // the end of the connection rolls back
                }
            }
            return WriteResult.failed(e);
        }
    }

    /** How rows are written. */
    private enum Form {
        LONE_ROW(1, false),
        LONE_ROW_WITH_KEY(1, true),
        ROWS(4, false),
        ROWS_WITH_KEYS(4, true);

        // immutable
        private final int batch;
        private final boolean keyed;

        Form(int batch, boolean keyed) {
            this.batch = batch;
            this.keyed = keyed;
        }
    }

    private static List<String> texts(long run) {
        return List.of("a" + run, "b" + run, "longer than twenty characters " + run, "d" + run);
    }

    /**
     * What is wrong with what was told of rows.
     *
     * @param told for each the key, 0 for none; null if nothing is known
     */
    private static List<String> mistakesOf(
            Database database, List<String> texts, List<@Nullable WriteResult<Long>> told) {
        List<String> written = database.query(
                "SELECT CONCAT(id, ' ', text) FROM " + TABLE + " WHERE text IN ('" + String.join("', '", texts) + "')");
        List<String> mistakes = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            List<String> rows =
                    written.stream().filter(row -> row.endsWith(" " + text)).toList();
            WriteResult<Long> result = told.get(i);
            boolean isRight = result == null
                    ? rows.size() < 2
                    : result.value() == null
                            ? rows.isEmpty()
                            : rows.size() == 1 && isKeyOf(result.value(), rows.get(0));
            if (!isRight) {
                mistakes.add(text + " was told as " + result + ", and there is " + rows);
            }
        }
        return mistakes;
    }

    private static boolean isKeyOf(long key, String row) {
        return key == 0 || row.startsWith(key + " ");
    }

    private static long keyOf(RowOutcome outcome) {
        List<@Nullable Object> keys = outcome.generatedKeys();
        return !keys.isEmpty() && keys.get(0) instanceof Number key ? key.longValue() : 0;
    }

    @ParameterizedTest
    @EnumSource
    void callersAreToldTheTruthOfTheirRows(Database database) throws Exception {
        database.table(TABLE);
        for (Form form : Form.values()) {
            RowStatement insert = RowStatement.of(INSERT);
            RowStatement statement = form.keyed ? insert.generatedKeys("id") : insert;
            Work gathered = (connections, run) -> {
                List<@Nullable WriteResult<Long>> told = new ArrayList<>();
                try (GroupCommit commits = new GroupCommit(connections, GroupCommitTests.full(form.batch))) {
                    List<CompletableFuture<RowOutcome>> futures = texts(run).stream()
                            .map(text -> commits.submit(statement, text))
                            .toList();
                    for (CompletableFuture<RowOutcome> future : futures) {
                        told.add(resultOf(future.thenApply(EveryJdbcMethodTests::keyOf)));
                    }
                }
                return mistakesOf(database, texts(run), told);
            };
            Work byHand = (connections, run) -> {
                List<@Nullable WriteResult<Long>> told = new ArrayList<>();
                Connection connection = connections.getConnection();
                for (String text : texts(run)) {
                    told.add(byHand(connection, form.batch == 1, own -> inserted(own, form, text)));
                }
                return mistakesOf(database, texts(run), told);
            };
            compare(database, gathered, byHand);
        }
    }

    private static long inserted(Connection connection, Form form, String text) throws SQLException {
        PreparedStatement statement = form.keyed
                ? connection.prepareStatement(INSERT, new String[] {"id"})
                : connection.prepareStatement(INSERT);
        statement.setString(1, text);
        statement.executeUpdate();
        if (!form.keyed) {
            return 0;
        }
        ResultSet keys = statement.getGeneratedKeys();
        return keys.next() ? keys.getLong(1) : 0;
    }

    private static void bind(PreparedStatement statement, long id, int count) throws SQLException {
        statement.setInt(1, count);
        statement.setLong(2, id);
        statement.setInt(3, count);
    }

    /** What is wrong with what was told of the parts of one row, if anything; null is what is not known. */
    private static List<String> mistakesOfParts(Database database, long id, List<@Nullable WriteResult<Boolean>> told) {
        int taken = BALANCE
                - Integer.parseInt(database.query("SELECT balance FROM " + STOCK + " WHERE id = " + id)
                        .get(0));
        int certain = 0;
        int unknown = 0;
        for (int i = 0; i < told.size(); i++) {
            WriteResult<Boolean> result = told.get(i);
            if (result == null) {
                unknown += PARTS.get(i);
            } else if (Boolean.TRUE.equals(result.value())) {
                certain += PARTS.get(i);
            }
        }
        return taken >= certain && taken <= certain + unknown
                ? List.of()
                : List.of(taken + " were taken, and " + certain + " were told, " + unknown + " are not known: " + told);
    }

    @ParameterizedTest
    @EnumSource
    void callersAreToldTheTruthOfTheirPartsOfAnUpdate(Database database) throws Exception {
        database.execute(
                "DROP TABLE IF EXISTS " + STOCK,
                "CREATE TABLE " + STOCK + " (id BIGINT PRIMARY KEY, balance INTEGER NOT NULL)");
        MergedUpdate<Long, Integer> merged =
                MergedUpdate.of(DEDUCT, (row, id, count) -> bind(row, id, count), Math::addExact);
        MergedUpdate<Long, Integer> reading = merged.reading(
                "SELECT balance FROM " + STOCK + " WHERE id = ?", (statement, id) -> statement.setLong(1, id), row -> {
                    int balance = row.getInt(1);
                    return count -> count <= balance;
                });
        for (MergedUpdate<Long, Integer> update : List.of(merged, reading)) {
            Work gathered = (connections, run) -> {
                database.execute("INSERT INTO " + STOCK + " VALUES (" + run + ", " + BALANCE + ")");
                List<@Nullable WriteResult<Boolean>> told = new ArrayList<>();
                try (MergedUpdates<Long, Integer> stock =
                        new MergedUpdates<>(connections, update, GroupCommitTests.full(PARTS.size()))) {
                    List<CompletableFuture<Boolean>> futures =
                            PARTS.stream().map(part -> stock.submit(run, part)).toList();
                    for (CompletableFuture<Boolean> future : futures) {
                        told.add(resultOf(future));
                    }
                }
                return mistakesOfParts(database, run, told);
            };
            Work byHand = (connections, run) -> {
                List<String> mistakes = new ArrayList<>(updatedByHand(database, connections, run, false));
                mistakes.addAll(updatedByHand(database, connections, number++, true)); // as one that is alone
                return mistakes;
            };
            compare(database, gathered, byHand);
        }
    }

    private static List<String> updatedByHand(Database database, DataSource connections, long run, boolean alone)
            throws SQLException {
        database.execute("INSERT INTO " + STOCK + " VALUES (" + run + ", " + BALANCE + ")");
        List<@Nullable WriteResult<Boolean>> told = new ArrayList<>();
        Connection connection = connections.getConnection();
        for (int part : PARTS) {
            told.add(byHand(connection, alone, own -> {
                PreparedStatement statement = own.prepareStatement(DEDUCT);
                bind(statement, run, part);
                return statement.executeUpdate() > 0;
            }));
        }
        return mistakesOfParts(database, run, told);
    }

    @ParameterizedTest
    @EnumSource
    void noNumberIsGivenTwice(Database database) throws Exception {
        database.execute(
                "DROP TABLE IF EXISTS " + NUMBERS,
                "CREATE TABLE " + NUMBERS + " (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)",
                "INSERT INTO " + NUMBERS + " VALUES ('order_id', 0)",
                "DROP SEQUENCE IF EXISTS every_sequence",
                "CREATE SEQUENCE every_sequence");
        List<Function<DataSource, SequenceSource>> sources = List.of(
                connections -> new SequenceTable(connections, NUMBERS, "name", "last_number"), DatabaseSequences::new);
        List<String> names = List.of("order_id", "every_sequence");
        for (Function<DataSource, SequenceSource> made : sources) {
            String name = names.get(sources.indexOf(made));
            Set<Long> given = new HashSet<>();
            SequenceSource usual = made.apply(SharedPools.of(database));
            compare(
                    database,
                    (connections, run) -> {
                        SequenceSource source = made.apply(connections);
                        List<String> twice = new ArrayList<>();
                        for (SequenceSource next : List.of(source, usual, source)) {
                            twice.addAll(given(next, name, given));
                        }
                        return twice;
                    },
                    (connections, run) -> readByHand(database, connections));
        }
    }

    /** A driver that reads a number as another one says so here. */
    private static List<String> readByHand(Database database, DataSource connections) throws SQLException {
        String query = "SELECT last_number FROM " + NUMBERS;
        WriteResult<Long> read = byHand(connections.getConnection(), true, connection -> {
            ResultSet row = connection.prepareStatement(query).executeQuery();
            return row.next() ? row.getLong(1) : -1;
        });
        Long number = read.value();
        return number == null || number.toString().equals(database.query(query).get(0))
                ? List.of()
                : List.of("read as " + number);
    }

    private static List<String> given(SequenceSource source, String name, Set<Long> given) {
        List<String> twice = new ArrayList<>();
        try {
            for (long each : source.take(name, 3)) {
                if (!given.add(each)) {
                    twice.add(each + " was given twice");
                }
            }
        } catch (Exception | LinkageError refused) {
            return twice; // nothing was given
        }
        return twice;
    }
}
