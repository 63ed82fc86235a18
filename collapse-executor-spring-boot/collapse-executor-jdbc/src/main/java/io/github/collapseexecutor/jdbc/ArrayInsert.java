package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.sql.InsertHead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An INSERT of one row, written for PostgreSQL as an INSERT of what is in arrays, one for each parameter: one text, and so one plan, for any number
 * of rows, and a parameter for each column instead of one for each value.
 *
 * <p>{@code unnest} reads an array in storage order, and the rows are stored as they are read. The constants of the VALUES row stand in the
 * SELECT. A column that is given {@code DEFAULT} there is not named, which means the same. A statement without names of columns stays without: what
 * the catalogue said of their order may be out of date.
 */
final class ArrayInsert {

    /** More rows gain nothing. */
    static final int ROWS_AT_MOST = 1_000;

    // immutable
    private final String into;
    private final String selected;
    /** By parameter: the arrays that its column takes. */
    private final List<List<ArrayType>> types;

    // mutable, by any writer: a hint, which is most often right
    private volatile @Nullable Text last;

    /** The text for arrays of certain types. */
    private record Text(List<ArrayType> types, String sql) {}

    private ArrayInsert(String into, String selected, List<List<ArrayType>> types) {
        this.into = into;
        this.selected = selected;
        this.types = types;
    }

    /**
     * The form of a statement for arrays; null if there is none, because of the statement or the types of its columns.
     *
     * @param columns the types of the table's columns by name, in their order
     */
    static @Nullable ArrayInsert of(MultiRowInsert insert, Map<String, String> columns) {
        InsertHead head = InsertHead.of(insert.before());
        if (head == null) {
            return null;
        }
        boolean named = !head.columns().isEmpty();
        List<String> given = named ? head.columns() : List.copyOf(columns.keySet());
        List<String> values = insert.values();
        if (values.size() > given.size()) {
            return null;
        }
        List<String> names = new ArrayList<>();
        List<String> selected = new ArrayList<>();
        List<List<ArrayType>> types = new ArrayList<>();
        for (int index = 0; index < values.size(); index++) {
            String value = values.get(index);
            if (value.equalsIgnoreCase("DEFAULT")) {
                if (!named) {
                    return null;
                }
                continue;
            }
            names.add(InsertHead.quoted(given.get(index)));
            if (!value.equals("?")) {
                selected.add(value);
                continue;
            }
            List<ArrayType> taken = ArrayType.of(columns.getOrDefault(given.get(index), ""));
            if (taken.isEmpty()) {
                return null;
            }
            types.add(taken);
            selected.add("r.p" + types.size());
        }
        String into = named ? head.into() + " (" + String.join(", ", names) + ")" : head.into();
        return new ArrayInsert(into, String.join(", ", selected), types);
    }

    /** The statement for rows that are given as values; null if one of these is to be sent by itself. */
    @Nullable OneStatement with(List<Row> rows) {
        List<ArrayType> chosen = new ArrayList<>(types.size());
        List<Object[]> arrays = new ArrayList<>(types.size());
        for (List<ArrayType> taken : types) {
            int position = chosen.size() + 1;
            for (ArrayType type : taken) {
                Object[] array = type.of(rows, row -> row.value(position));
                if (array != null) {
                    chosen.add(type);
                    arrays.add(array);
                    break;
                }
            }
            if (arrays.size() < position) {
                return null;
            }
        }
        return new WithArrays(text(chosen), arrays);
    }

    private Text text(List<ArrayType> chosen) {
        Text known = last;
        if (known != null && known.types().equals(chosen)) {
            return known;
        }
        List<String> arrays = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (ArrayType type : chosen) {
            arrays.add("pg_catalog.unnest(?::pg_catalog." + type.elements + "[])");
            names.add("p" + arrays.size());
        }
        Text text = new Text(
                List.copyOf(chosen),
                into + " SELECT " + selected + " FROM ROWS FROM (" + String.join(", ", arrays) + ") AS r ("
                        + String.join(", ", names) + ")");
        last = text;
        return text;
    }

    private record WithArrays(Text text, List<Object[]> arrays) implements OneStatement {

        @Override
        public String sql() {
            return text.sql();
        }

        @Override
        public int parameters() {
            return arrays.size();
        }

        @Override
        public void set(Connection connection, PreparedStatement prepared) throws SQLException {
            for (int index = 0; index < arrays.size(); index++) {
                prepared.setArray(
                        index + 1, connection.createArrayOf(text.types().get(index).elements, arrays.get(index)));
            }
        }
    }
}
