package io.github.collapseexecutor.jdbc;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The arrays in which PostgreSQL gets the values of a column. The elements are of the type that the driver gives to a value that is sent by itself,
 * or of one that holds all its values, so that the column makes the same of them. A value that no array of its column takes is sent by itself.
 */
enum ArrayType {
    WHOLE_NUMBERS("int8", "int2 int4 int8 numeric", Long.class) {
        @Override
        @Nullable Object element(Object value) {
            return LockOrder.isWhole(value) ? (Long) ((Number) value).longValue() : null;
        }
    },
    DECIMALS("numeric", "numeric", BigDecimal.class) {
        @Override
        @Nullable Object element(Object value) {
            return LockOrder.isWhole(value) ? BigDecimal.valueOf(((Number) value).longValue()) : value;
        }
    },
    DOUBLES("float8", "float8", Double.class),
    FLOATS("float4", "float4", Float.class),
    TEXTS("varchar", "text varchar bpchar", String.class),
    BOOLEANS("bool", "bool", Boolean.class),
    IDENTIFIERS("uuid", "uuid", UUID.class),
    DATES("date", "date", String.class) {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof LocalDate date && hasPlainYear(date.getYear()) ? date.toString() : null;
        }
    },
    TIMES("timestamp", "timestamp", String.class) {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof LocalDateTime time && hasPlainYear(time.getYear()) ? text(time) : null;
        }
    },
    MOMENTS("timestamptz", "timestamptz", String.class) {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof OffsetDateTime time && hasPlainYear(time.getYear())
                    ? text(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()) + 'Z'
                    : null;
        }
    };

    // immutable
    /** The name of its elements' type. */
    final String elements;

    private final String columns;
    private final Class<?> type;

    /**
     * @param columns the types of the columns that it is for, parted by spaces
     * @param type the class of its elements
     */
    ArrayType(String elements, String columns, Class<?> type) {
        this.elements = elements;
        this.columns = columns;
        this.type = type;
    }

    /** The arrays that a column takes, the cheapest first. */
    static List<ArrayType> of(String columnType) {
        return Arrays.stream(values())
                .filter(type -> List.of(type.columns.split(" ", -1)).contains(columnType))
                .toList();
    }

    /** What stands for a value; not of the class of its elements if the value is to be sent by itself. */
    @Nullable Object element(Object value) {
        return value;
    }

    /** The array of a column; null if a value is to be sent by itself. */
    Object @Nullable [] of(List<Row> rows, Function<Row, @Nullable Object> column) {
        Object[] array = (Object[]) Array.newInstance(type, rows.size());
        for (int row = 0; row < array.length; row++) {
            Object value = column.apply(rows.get(row));
            if (value != null) {
                Object stored = element(value);
                if (!type.isInstance(stored)) {
                    return null;
                }
                array[row] = stored;
            }
        }
        return array;
    }

    /** The driver rounds times to microseconds, and up from a half. */
    private static String text(LocalDateTime time) {
        return time.plusNanos(500).truncatedTo(ChronoUnit.MICROS).toString();
    }

    /** Others are written with a sign, or with more digits than four. */
    private static boolean hasPlainYear(int year) {
        return year >= 2 && year < 9999;
    }
}
