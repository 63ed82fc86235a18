package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A value becomes in a batch what it becomes alone, whatever the type of its column, and whatever values the rows beside it have. */
class ValueTypesTests {

    private static final boolean ALL = Boolean.getBoolean("write.matrix.all");
    private static final long SEED = Long.getLong("write.matrix.seed", ALL ? System.nanoTime() : 1);
    private static final int ROWS = 8;

    private static final List<@Nullable Object> VALUES = values();

    /** They refuse rows whatever their values are. */
    private static final Set<MatrixSetting> NOT_ABOUT_VALUES =
            EnumSet.of(MatrixSetting.ROW_SECURITY, MatrixSetting.READ_ONLY);

    private static List<@Nullable Object> values() {
        List<@Nullable Object> values = new ArrayList<>(List.of(
                (byte) 7,
                (short) -7,
                1,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                BigInteger.TWO.pow(70),
                new BigDecimal("1.005"),
                new BigDecimal("-1E+3"),
                new BigDecimal("0.00"),
                new BigDecimal("12345678901234567890.123456789"),
                1.5,
                -0.0,
                0.1,
                1e300,
                Double.NaN,
                0.1f,
                Float.NEGATIVE_INFINITY,
                true,
                false,
                'c',
                "",
                " 12 ",
                "1e1",
                "0x10",
                "a 'b' \\c \"d\" ?",
                "\uD83D\uDE00",
                "longer than twelve characters",
                "2024-02-29",
                "2024-02-29 23:59:59.9999999"));
        values.addAll(List.of(
                LocalDate.of(2024, 2, 29),
                LocalDate.of(12_024, 2, 29),
                LocalTime.of(23, 59, 59, 999_999_500),
                LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_499),
                LocalDateTime.of(2024, 3, 31, 2, 30, 0, 1_500),
                OffsetDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_500, ZoneOffset.ofHours(-7)),
                ZonedDateTime.of(2024, 2, 29, 12, 0, 0, 0, ZoneOffset.ofHours(9)),
                Instant.ofEpochSecond(1_700_000_000, 123_456_789),
                Timestamp.valueOf("2024-02-29 23:59:59.999999500"),
                Date.valueOf("1582-10-04"),
                Time.valueOf("12:30:00"),
                Duration.ofHours(2),
                new UUID(1, 2),
                new byte[] {0, 39, 92, -1},
                new byte[0]));
        for (int nulls = 0; nulls < 5; nulls++) {
            values.add(null);
        }
        return values;
    }

    private static List<String> columns(Database database) {
        return switch (database) {
            case MARIADB ->
                List.of(
                        "TINYINT",
                        "INT UNSIGNED",
                        "BIGINT",
                        "DECIMAL(10, 2)",
                        "FLOAT",
                        "DOUBLE",
                        "BIT(8)",
                        "YEAR",
                        "CHAR(12)",
                        "VARCHAR(12)",
                        "VARCHAR(40) CHARACTER SET utf8mb4",
                        "LONGTEXT",
                        "VARBINARY(20)",
                        "LONGBLOB",
                        "DATE",
                        "TIME(3)",
                        "DATETIME",
                        "DATETIME(6)",
                        "TIMESTAMP(3) NULL",
                        "JSON",
                        "ENUM('a', '1', '')",
                        "SET('a', '1')",
                        "UUID",
                        "INET6");
            case POSTGRESQL ->
                List.of(
                        "int2",
                        "int4",
                        "int8",
                        "numeric(12, 2)",
                        "float4",
                        "text",
                        "char(12)",
                        "bool",
                        "uuid",
                        "date",
                        "time",
                        "timestamp(2)",
                        "timestamptz",
                        "jsonb",
                        "bytea",
                        "money",
                        "interval",
                        "inet");
            case H2 ->
                List.of(
                        "TINYINT",
                        "BIGINT",
                        "DECIMAL(10, 2)",
                        "DECFLOAT",
                        "REAL",
                        "BOOLEAN",
                        "CHAR(12)",
                        "VARCHAR(12)",
                        "CLOB",
                        "VARBINARY(20)",
                        "DATE",
                        "TIME(3)",
                        "TIMESTAMP(3)",
                        "TIMESTAMP WITH TIME ZONE",
                        "UUID",
                        "JSON",
                        "INTERVAL HOUR TO SECOND",
                        "ENUM('a', '1')");
        };
    }

    @ParameterizedTest
    @EnumSource
    void valuesAreWhatTheyAreAlone(MatrixDriver driver) throws SQLException {
        Random random = new Random(SEED);
        List<String> differences = new ArrayList<>();
        for (String column : columns(driver.database)) {
            for (String way : List.of("single", "together")) {
                driver.database.execute(
                        "DROP TABLE IF EXISTS typed_" + way,
                        "CREATE TABLE typed_%s (id INT PRIMARY KEY, v %s, text VARCHAR(5))".formatted(way, column));
            }
            for (int round = 0; round < (ALL ? 500 : 3); round++) {
                int start = round * ROWS;
                List<List<@Nullable Object>> rows = IntStream.range(0, ROWS)
                        .<List<@Nullable Object>>mapToObj(row -> {
                            List<@Nullable Object> values = new ArrayList<>(List.of(start + row));
                            values.add(value(driver, column, random));
                            values.add(random.nextBoolean() ? null : "t" + row);
                            return values;
                        })
                        .toList();
                List<String> options = new ArrayList<>(driver.optionSets()
                        .get(random.nextInt(driver.optionSets().size())));
                List<MatrixSetting> settings = MatrixSetting.of(driver.database);
                MatrixSetting setting = settings.get(random.nextInt(settings.size()));
                if (NOT_ABOUT_VALUES.contains(setting)) {
                    setting = MatrixSetting.PLAIN;
                }
                options.addAll(setting.options());
                boolean bySetter = random.nextInt(4) == 0;
                boolean inStatement = random.nextBoolean();
                List<String> told = new ArrayList<>();
                List<String> alone;
                List<String> together;
                try (Connection connection = setting.begin(driver.connect(options, 1), driver.database)) {
                    alone = writeAlone(connection, rows);
                    together = writeTogether(connection, rows, bySetter, inStatement);
                }
                for (int row = 0; row < ROWS; row++) {
                    if (!alone.get(row).equals(together.get(row))) {
                        told.add(rows.get(row) + ": alone " + alone.get(row) + ", together " + together.get(row));
                    }
                }
                List<String> stored = stored(driver.database, "single", start);
                List<String> storedTogether = stored(driver.database, "together", start);
                if (!stored.equals(storedTogether)) {
                    told.add("stored alone    " + stored + "\n  stored together " + storedTogether);
                }
                if (!told.isEmpty()) {
                    differences.add("%s %s %s bySetter=%s inStatement=%s %s\n  %s"
                            .formatted(
                                    column, options, setting, bySetter, inStatement, rows, String.join("\n  ", told)));
                }
            }
        }
        assertThat(String.join("\n", differences))
                .as("%d differences, -Dwrite.matrix.seed=%d", differences.size(), SEED)
                .isEmpty();
    }

    private static @Nullable Object value(MatrixDriver driver, String column, Random random) {
        Object value;
        do {
            value = VALUES.get(random.nextInt(VALUES.size()));
        } while (value != null && isLeftToTheDriver(driver, column, value));
        return value;
    }

    /**
     * Whether a driver itself stores something else in a batch. MariaDB's sends a lone row as text and a batch in binary form, in which a value that
     * is not of its column's type is converted otherwise. MySQL's sends an object of a class that it does not know as what it sent before.
     */
    private static boolean isLeftToTheDriver(MatrixDriver driver, String column, Object value) {
        if (driver == MatrixDriver.MYSQL) {
            return value instanceof UUID || value instanceof Character;
        }
        if (driver != MatrixDriver.MARIADB) {
            return false;
        }
        if (value instanceof LocalDate date) {
            return !column.equals("DATE") || date.getYear() > 9999;
        }
        if (value instanceof Date) {
            return !column.equals("DATE");
        }
        if (value instanceof LocalTime || value instanceof Time || value instanceof Duration) {
            return !column.startsWith("TIME(");
        }
        if (value instanceof Temporal || value instanceof Timestamp) {
            return !column.startsWith("DATETIME") && !column.startsWith("TIMESTAMP");
        }
        return value instanceof Float
                || (value instanceof Double number && (!Double.isFinite(number) || !column.equals("DOUBLE")));
    }

    private static List<String> stored(Database database, String way, int start) {
        String text = database == Database.MARIADB ? "HEX(v)" : "CAST(v AS VARCHAR)";
        return database.query("SELECT CONCAT_WS(' ', id, COALESCE(" + text + ", '-'), text) FROM typed_" + way
                + " WHERE id >= " + start + " ORDER BY id");
    }

    private static List<String> writeAlone(Connection connection, List<List<@Nullable Object>> rows)
            throws SQLException {
        List<String> told = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO typed_single (id, v, text) VALUES (?, ?, ?)")) {
                set(statement, row);
                told.add("count " + statement.executeUpdate());
            } catch (SQLException | RuntimeException failure) {
                told.add(Told.failed(failure).failure());
            }
        }
        return told;
    }

    private static List<String> writeTogether(
            Connection connection, List<List<@Nullable Object>> rows, boolean bySetter, boolean inStatement) {
        GroupCommit commits = new GroupCommit(
                new OneConnection(connection),
                GroupCommitTests.full(ROWS).toBuilder()
                        .commitInStatement(inStatement)
                        .build());
        RowStatement insert = RowStatement.of("INSERT INTO typed_together (id, v, text) VALUES (?, ?, ?)");
        List<CompletableFuture<RowOutcome>> writes = rows.stream()
                .map(row -> bySetter
                        ? commits.submit(insert, statement -> set(statement, row))
                        : commits.submit(insert, row.toArray()))
                .toList();
        return writes.stream()
                .map(write -> write.handle((outcome, failure) -> failure == null
                                ? "count " + outcome.updateCount()
                                : Told.failed(failure).failure())
                        .join())
                .toList();
    }

    private static void set(PreparedStatement statement, List<@Nullable Object> row) throws SQLException {
        for (int index = 0; index < row.size(); index++) {
            statement.setObject(index + 1, row.get(index));
        }
    }
}
