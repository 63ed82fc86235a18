package io.github.collapseexecutor.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one caller of the matrix is told of its row. */
record Told(String failure, int count, @Nullable Object key, List<List<@Nullable Object>> returned) {

    static Told failed(Throwable failure) {
        return new Told(
                failure.getClass().getName()
                        + (failure instanceof SQLException sql
                                ? " " + sql.getSQLState() + " " + sql.getErrorCode()
                                : ""),
                0,
                null,
                List.of());
    }

    boolean isWritten() {
        return failure.isEmpty();
    }

    /** Whether the row may be written or not. */
    boolean isUnknown() {
        return failure.startsWith(OutcomeUnknownException.class.getName());
    }

    /** The keys that it names: the generated one, and those in the rows that were returned. */
    List<Object> keys() {
        List<Object> keys = new ArrayList<>();
        if (key != null) {
            keys.add(key);
        }
        returned.forEach(row -> keys.add(row.get(1)));
        return keys;
    }

    /** The same without its keys. */
    Told withoutKeys() {
        return new Told(
                failure,
                count,
                key == null ? null : "key",
                returned.stream()
                        .<List<@Nullable Object>>map(row -> List.of(row.get(0)))
                        .toList());
    }
}
