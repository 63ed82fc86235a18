package io.github.collapseexecutor.jdbc;

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
    WHOLE_NUMBERS("int8", "int2 int4 int8 numeric") {
        @Override
        @Nullable Object element(Object value) {
            return isWholeNumber(value) ? (Long) ((Number) value).longValue() : null;
        }
    },
    DECIMALS("numeric", "numeric") {
        @Override
        @Nullable Object element(Object value) {
            return isWholeNumber(value)
                    ? BigDecimal.valueOf(((Number) value).longValue())
                    : value instanceof BigDecimal ? value : null;
        }
    },
    DOUBLES("float8", "float8") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof Double ? value : null;
        }
    },
    FLOATS("float4", "float4") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof Float ? value : null;
        }
    },
    TEXTS("varchar", "text varchar bpchar") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof String ? value : null;
        }
    },
    BOOLEANS("bool", "bool") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof Boolean ? value : null;
        }
    },
    IDENTIFIERS("uuid", "uuid") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof UUID ? value : null;
        }
    },
    DATES("date", "date") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof LocalDate date && hasPlainYear(date.getYear()) ? date.toString() : null;
        }
    },
    TIMES("timestamp", "timestamp") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof LocalDateTime time && hasPlainYear(time.getYear())
                    ? time.plusNanos(HALF_A_MICROSECOND)
                            .truncatedTo(ChronoUnit.MICROS)
                            .toString()
                    : null;
        }
    },
    MOMENTS("timestamptz", "timestamptz") {
        @Override
        @Nullable Object element(Object value) {
            return value instanceof OffsetDateTime time && hasPlainYear(time.getYear())
                    ? time.withOffsetSameInstant(ZoneOffset.UTC)
                            .plusNanos(HALF_A_MICROSECOND)
                            .truncatedTo(ChronoUnit.MICROS)
                            .toString()
                    : null;
        }
    };

    /** The driver rounds times to microseconds, and up from this. */
    private static final int HALF_A_MICROSECOND = 500;

    // immutable
    /** The name of its elements' type. */
    final String elements;

    private final String columns;

    /** @param columns the types of the columns that it is for, parted by spaces */
    ArrayType(String elements, String columns) {
        this.elements = elements;
        this.columns = columns;
    }

    /** The arrays that a column takes, the cheapest first. */
    static List<ArrayType> of(String columnType) {
        return Arrays.stream(values())
                .filter(type -> List.of(type.columns.split(" ", -1)).contains(columnType))
                .toList();
    }

    /** What stands for a value; null if the value is to be sent by itself. */
    abstract @Nullable Object element(Object value);

    /** The array of a column; null if a value is to be sent by itself. */
    Object @Nullable [] of(List<Row> rows, Function<Row, @Nullable Object> column) {
        Object[] array = ofSize(rows.size());
        for (int row = 0; row < array.length; row++) {
            Object value = column.apply(rows.get(row));
            if (value != null) {
                Object element = element(value);
                if (element == null) {
                    return null;
                }
                array[row] = element;
            }
        }
        return array;
    }

    private Object[] ofSize(int size) {
        return switch (this) {
            case WHOLE_NUMBERS -> new Long[size];
            case DECIMALS -> new BigDecimal[size];
            case DOUBLES -> new Double[size];
            case FLOATS -> new Float[size];
            case BOOLEANS -> new Boolean[size];
            case IDENTIFIERS -> new UUID[size];
            case TEXTS, DATES, TIMES, MOMENTS -> new String[size];
        };
    }

    private static boolean isWholeNumber(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    /** Others are written with a sign, or with more digits than four. */
    private static boolean hasPlainYear(int year) {
        return year >= 2 && year < 9999;
    }
}
