package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.sql.InsertTarget;
import io.github.collapseexecutor.jdbc.sql.StatementText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What PostgreSQL gets in arrays becomes what it becomes row by row, whatever the types of columns and values. */
class ArrayInsertTests {

    private static final Database DATABASE = Database.POSTGRESQL;

    /** Types of columns, and whether values of a type that clearly matches go in arrays. */
    private static final List<String> TYPES = List.of(
            "int2",
            "int4",
            "int8",
            "numeric",
            "numeric(12, 2)",
            "float4",
            "float8",
            "text",
            "varchar",
            "varchar(12)",
            "char(12)",
            "bool",
            "uuid",
            "date",
            "time",
            "timestamp",
            "timestamp(2)",
            "timestamptz",
            "jsonb",
            "bytea",
            "int4[]",
            "mood",
            "positive");

    private static final List<List<Object>> VALUES = List.of(
            List.of((byte) 7, (short) -7),
            List.of(1, Integer.MAX_VALUE, -32_768),
            List.of(1L, Long.MAX_VALUE, Long.MIN_VALUE),
            List.of(1, 2L, (short) 3),
            List.of(1, new BigDecimal("2.345"), 3L),
            List.of(new BigDecimal("1.005"), new BigDecimal("-1E+3"), new BigDecimal("0.00"), new BigDecimal("1e30")),
            List.of(new BigInteger("12"), BigInteger.TWO),
            List.of(1.5, -0.0, Double.NaN, Double.MAX_VALUE, 0.1),
            List.of(1.5f, Float.NEGATIVE_INFINITY, 0.1f, -0.0f),
            List.of("", "a, \"b\" {c} 'd' \\e", "NULL", " trailing  ", "ä€\uD83D\uDE00\n", "longer than twelve"),
            List.of("happy", "sad"),
            List.of("1", "2020-02-29", "true", "{}", "{1,2}"),
            List.of('c', 'd'),
            List.of(true, false),
            List.of(new UUID(1, 2), UUID.nameUUIDFromBytes(new byte[] {1})),
            List.of(
                    LocalDate.of(2024, 2, 29),
                    LocalDate.of(1, 1, 1),
                    LocalDate.of(12_024, 2, 29),
                    LocalDate.of(-4, 2, 1)),
            List.of(
                    LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_499),
                    LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_500),
                    LocalDateTime.of(1883, 1, 1, 0, 0, 0, 1_500),
                    LocalDateTime.MAX),
            List.of(
                    OffsetDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_500, ZoneOffset.ofHours(-7)),
                    OffsetDateTime.of(1583, 1, 1, 0, 0, 0, 1_499, ZoneOffset.ofHoursMinutesSeconds(5, 30, 20)),
                    OffsetDateTime.MIN),
            List.of(LocalTime.of(12, 30)),
            List.of(Timestamp.valueOf("2024-02-29 23:59:59.999999500")),
            List.of(new byte[] {0, 1, -1}));

    private static final Map<String, Class<?>> CLEAR = new TreeMap<>(Map.of(
            "int4", Integer.class,
            "int8", Long.class,
            "numeric(12, 2)", BigDecimal.class,
            "float8", Double.class,
            "varchar(12)", String.class,
            "bool", Boolean.class,
            "uuid", UUID.class,
            "date", LocalDate.class,
            "timestamp", LocalDateTime.class,
            "timestamptz", OffsetDateTime.class));

    private static void createTables(String type) {
        DATABASE.execute(
                "DROP TABLE IF EXISTS arrays_alone, arrays_together",
                "DROP TYPE IF EXISTS mood",
                "DROP DOMAIN IF EXISTS positive",
                "CREATE TYPE mood AS ENUM ('happy', 'sad')",
                "CREATE DOMAIN positive AS INT CHECK (VALUE > 0)",
                "CREATE TABLE arrays_alone (id INT GENERATED ALWAYS AS IDENTITY, value " + type + ")",
                "CREATE TABLE arrays_together (id INT GENERATED ALWAYS AS IDENTITY, value " + type + ")");
    }

    private static List<@Nullable Object> withNulls(List<Object> values) {
        List<@Nullable Object> all = new ArrayList<>(values);
        all.add(1, null);
        return all;
    }

    private static String told(Throwable failure) {
        return failure.getClass().getName() + (failure instanceof SQLException sql ? " " + sql.getSQLState() : "");
    }

    /** Each by a statement of its own: one that is used again keeps the types of the values before. */
    private static List<String> alone(Connection connection, List<@Nullable Object> values) {
        List<String> told = new ArrayList<>();
        for (Object value : values) {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO arrays_alone (value) VALUES (?)")) {
                insert.setObject(1, value);
                told.add("" + insert.executeUpdate());
            } catch (SQLException failure) {
                told.add(told(failure));
            }
        }
        return told;
    }

    private static List<String> together(HikariDataSource pool, List<@Nullable Object> values) {
        GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(values.size()));
        RowStatement insert = RowStatement.of("INSERT INTO arrays_together (value) VALUES (?)");
        List<CompletableFuture<RowOutcome>> writes = values.stream()
                .map(value ->
                        commits.submit(insert, Collections.singletonList(value).toArray()))
                .toList();
        List<String> told = new ArrayList<>();
        for (CompletableFuture<RowOutcome> write : writes) {
            try {
                told.add("" + write.join().updateCount());
            } catch (CompletionException failure) {
                told.add(told(failure.getCause()));
            }
        }
        return told;
    }

    private static List<String> stored(Connection connection, String table) throws SQLException {
        List<String> stored = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT value::text FROM " + table + " ORDER BY id")) {
                while (rows.next()) {
                    stored.add(String.valueOf(rows.getString(1)));
                }
            }
            statement.execute("DELETE FROM " + table);
        }
        return stored;
    }

    static List<String> options() {
        return Boolean.getBoolean("write.matrix.all")
                ? List.of("", "&stringtype=unspecified", "&preferQueryMode=simple", "&binaryTransfer=false")
                : List.of("");
    }

    /** Each type of column meets each list of values: what the callers are told and what is stored is the same as row by row. */
    @ParameterizedTest
    @MethodSource("options")
    void eachColumnMakesTheSameOfEachValue(String option) throws SQLException {
        String url = DATABASE.url() + "&options=-csynchronous_commit=off" + option;
        List<String> differences = new ArrayList<>();
        for (String type : TYPES) {
            createTables(type);
            try (HikariDataSource pool = Database.pool(1, url);
                    Connection connection = DriverManager.getConnection(url)) {
                for (List<Object> values : VALUES) {
                    List<String> alone = alone(connection, withNulls(values));
                    List<String> together = together(pool, withNulls(values));
                    alone.addAll(stored(connection, "arrays_alone"));
                    together.addAll(stored(connection, "arrays_together"));
                    if (!alone.equals(together)) {
                        differences.add("%s of %s%n  %s%n  %s".formatted(type, values, alone, together));
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static ArrayInsert arrayInsert(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(DATABASE.url())) {
            return ArrayInsert.of(
                    MultiRowInsert.of(sql),
                    InsertTarget.of(connection, StatementText.tableOfInsert(sql))
                            .columns());
        }
    }

    private static @Nullable OneStatement arrays(@Nullable ArrayInsert insert, Object... values) {
        return insert == null
                ? null
                : insert.with(Arrays.stream(values)
                        .map(value -> new Row(ParameterSetter.of(value)))
                        .toList());
    }

    @Test
    void valuesGoInArraysWhereTypesClearlyMatch() throws SQLException {
        for (String type : TYPES) {
            createTables(type);
            ArrayInsert insert = arrayInsert("INSERT INTO arrays_together (value) VALUES (?)");
            Class<?> clear = CLEAR.get(type);
            if (clear != null) {
                for (List<Object> values : VALUES) {
                    if (values.stream().allMatch(clear::isInstance)) {
                        assertThat(arrays(insert, values.get(0), values.get(0)))
                                .as("%s of %s", type, values)
                                .isNotNull();
                    }
                }
            }
            assertThat(arrays(insert, new byte[] {1}, Timestamp.valueOf("2024-02-29 23:59:59")))
                    .as(type)
                    .isNull();
            assertThat(arrays(insert, "1") == null
                            || List.of("text", "varchar", "varchar(12)", "char(12)")
                                    .contains(type))
                    .as(type)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    INSERT INTO goods (id, amount) VALUES (?, ?)               | INSERT INTO goods ("id", "amount") SELECT r.p1, r.p2
                    insert into "Goods" as g ( "Amount" ,ID)values(?,?);       | insert into "Goods" as g ("Amount", "id") SELECT r.p1, r.p2
                    INSERT INTO s.goods VALUES (?)                             | INSERT INTO s.goods SELECT r.p1
                    INSERT INTO goods VALUES (?, 'a', now(), -1.5)             | INSERT INTO goods SELECT r.p1, 'a', now(), -1.5
                    INSERT INTO goods VALUES (DEFAULT, ?)                      |
                    INSERT INTO goods ("at", id) VALUES (DEFAULT, ?)           | INSERT INTO goods ("id") SELECT r.p1
                    INSERT INTO goods ("a ""b", at) VALUES (NULL, ?)           | INSERT INTO goods ("a ""b", "at") SELECT NULL, r.p1
                    INSERT INTO goods (id) OVERRIDING SYSTEM VALUE VALUES (?)  |
                    INSERT INTO goods (mood) VALUES (?)                        |
                    INSERT INTO goods (nothing) VALUES (?)                     |
                    INSERT INTO goods (id, id.x) VALUES (?, ?)                 |
                    INSERT INTO goods (id) VALUES (?, ?)                       |
                    """)
    void theStatementSelectsFromArrays(String sql, @Nullable String expected) {
        Map<String, String> columns = new LinkedHashMap<>();
        List.of("id", "Amount", "amount", "a \"b", "at", "mood").forEach(name -> columns.put(name, "int8"));
        columns.put("mood", "");
        ArrayInsert insert = ArrayInsert.of(MultiRowInsert.of(sql), columns);
        if (expected == null) {
            assertThat(insert).isNull();
            return;
        }
        assertThat(insert.with(List.of(new Row(ParameterSetter.of(1, 2)))).sql())
                .startsWith(expected + " FROM ROWS FROM (pg_catalog.unnest(?::pg_catalog.int8[])")
                .endsWith(") AS r (p1" + (expected.contains("p2") ? ", p2)" : ")"));
    }

    /** The catalogue is asked now and then only. */
    @Test
    void valuesWithoutNamesGoWhereTheTableHasThemNow() throws SQLException {
        try (HikariDataSource pool = DATABASE.pool(1);
                GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(2))) {
            for (String columns : List.of("x text, y text", "y text, x text")) {
                DATABASE.execute("DROP TABLE IF EXISTS made_again");
                DATABASE.execute("CREATE TABLE made_again (" + columns + ")");
                List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 2)
                        .mapToObj(row -> commits.submit(
                                RowStatement.of("INSERT INTO made_again VALUES (?, ?)"), "first", "second"))
                        .toList();
                assertThat(writes).allMatch(write -> write.join().updateCount() == 1);
                assertThat(DATABASE.query("SELECT " + columns.charAt(0) + " FROM made_again"))
                        .containsExactly("first", "first");
            }
        }
    }

    /** One text for any number of rows, which are stored in the order in which they were handed in. */
    @Test
    void rowsAreStoredInOrderByOneText() throws SQLException {
        createTables("int8");
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            for (int size : new int[] {2, 1000, 300}) {
                GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(size));
                List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, size)
                        .mapToObj(row -> commits.submit(
                                RowStatement.of("INSERT INTO arrays_together (value) VALUES (?)"), size - row))
                        .toList();
                assertThat(writes).allMatch(write -> write.join().updateCount() == 1);
                assertThat(DATABASE.query("SELECT value FROM arrays_together ORDER BY id"))
                        .containsExactlyElementsOf(IntStream.range(0, size)
                                .mapToObj(row -> String.valueOf(size - row))
                                .toList());
                DATABASE.execute("DELETE FROM arrays_together");
            }
            assertThat(watched.steps("executeUpdate")).hasSize(3);
            assertThat(watched.steps("setArray")).hasSize(3);
        }
    }

    /** A column that changes its type between two batches makes the same of its values as row by row. */
    @Test
    void aColumnWhoseTypeChangesIsLookedAtAgain() {
        createTables("int8");
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(4));
            RowStatement insert = RowStatement.of("INSERT INTO arrays_together (value) VALUES (?)");
            for (String type : List.of("int8", "int2", "numeric(4, 1)")) {
                DATABASE.execute("ALTER TABLE arrays_together ALTER value TYPE " + type);
                List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 4)
                        .mapToObj(row -> commits.submit(insert, row))
                        .toList();
                assertThat(writes).as(type).allMatch(write -> write.join().updateCount() == 1);
            }
            assertThat(DATABASE.query("SELECT SUM(value) FROM arrays_together")).containsExactly("18.0");
        }
    }
}
