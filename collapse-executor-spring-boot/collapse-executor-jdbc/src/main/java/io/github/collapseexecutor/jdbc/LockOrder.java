package io.github.collapseexecutor.jdbc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the rows of a batch are locked: the same in every process, so that two batches never wait for each
 * other. It is a matter of speed only: a deadlock that happens nevertheless is tried again.
 */
final class LockOrder {

    /**
     * Whole numbers by their value, whatever their type; other comparable values by their own order; all else by its text, which has
     * to be the same in every process.
     */
    static final Comparator<@Nullable Object> BY_VALUE = LockOrder::compare;

    private LockOrder() {}

    /**
     * The positions of rows, in the order of the given parameters; rows with equal ones stay in order of submission. So do all if
     * the values cannot be compared: without an order there may be deadlocks, which are tried again.
     */
    static List<Integer> of(List<Row> rows, List<Integer> parameters) {
        List<Integer> submitted = IntStream.range(0, rows.size()).boxed().toList();
        List<Integer> positions = new ArrayList<>(submitted);
        try {
            sort(positions, rows, parameters);
            return positions;
        } catch (RuntimeException ignored) { // of a value's own compareTo or toString
            return submitted;
        }
    }

    private static void sort(List<Integer> positions, List<Row> rows, List<Integer> parameters) {
        for (int index = parameters.size() - 1; index >= 0; index--) {
            int parameter = parameters.get(index);
            positions.sort(Comparator.comparing(position -> rows.get(position).value(parameter), BY_VALUE));
        }
    }

    // Both are of one class, which compares itself with itself.
    @SuppressWarnings("unchecked")
    private static int compare(@Nullable Object one, @Nullable Object other) {
        if (one == null || other == null) {
            return Boolean.compare(one != null, other != null);
        }
        if (isWhole(one) && isWhole(other)) {
            return Long.compare(((Number) one).longValue(), ((Number) other).longValue());
        }
        if (one instanceof Comparable<?> comparable && one.getClass() == other.getClass()) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        return text(one).compareTo(text(other));
    }

    static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    private static String text(Object value) {
        return (isWhole(value) ? Long.class : value.getClass()).getName() + ' ' + value;
    }
}
