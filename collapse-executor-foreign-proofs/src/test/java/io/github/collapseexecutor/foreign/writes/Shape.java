package io.github.collapseexecutor.foreign.writes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table with what the database does beside storing rows, and a statement that writes to it. In all texts, {@code {t}} stands for the table.
 *
 * @param session executed for each connection
 * @param ddl makes the table anew
 * @param sql the statement
 * @param key the generated column that is asked for; empty for none
 * @param values what its parameters may be, by parameter
 * @param look reads all that was written, without what differs from one run to the next
 */
record Shape(
        String name,
        List<String> session,
        List<String> ddl,
        String sql,
        String key,
        List<List<@Nullable Object>> values,
        String look) {

    /** A value that is made of the number of its row, so that no two rows have the same. */
    record Numbered(String text) {
        Object of(int row) {
            return text.isEmpty() ? (Object) row : text + row;
        }
    }

    static Numbered numbered(String text) {
        return new Numbered(text);
    }

    static List<@Nullable Object> oneOf(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    static Shape of(String name, String sql) {
        return new Shape(name, List.of(), List.of(), sql, "", List.of(), "");
    }

    Shape session(String... statements) {
        return new Shape(name, List.of(statements), ddl, sql, key, values, look);
    }

    Shape ddl(String... statements) {
        return new Shape(name, session, List.of(statements), sql, key, values, look);
    }

    Shape key(String column) {
        return new Shape(name, session, ddl, sql, column, values, look);
    }

    Shape value(@Nullable Object... one) {
        List<List<@Nullable Object>> more = new ArrayList<>(values);
        more.add(Arrays.asList(one));
        return new Shape(name, session, ddl, sql, key, more, look);
    }

    Shape look(String query) {
        return new Shape(name, session, ddl, sql, key, values, query);
    }

    /** The statement by another name, for the same table. */
    Shape with(String otherName, String otherSql) {
        return new Shape(name + " " + otherName, session, ddl, otherSql, key, values, look);
    }

    /** Whether the database can take back what was written to its table. */
    boolean hasTransactions() {
        return ddl.stream().noneMatch(sql -> sql.contains(" ENGINE = "));
    }

    /** Whether a parameter has values of several types; numbers count as one. */
    boolean mixesTypes() {
        return values.stream()
                .anyMatch(choices -> choices.stream()
                                .filter(Objects::nonNull)
                                .map(value -> value instanceof Number ? Number.class : typeOf(value))
                                .distinct()
                                .count()
                        > 1);
    }

    private static Class<?> typeOf(Object value) {
        return !(value instanceof Numbered numbered)
                ? value.getClass()
                : numbered.text().isEmpty() ? Number.class : String.class;
    }

    /** Rows of it, by chance. */
    List<List<@Nullable Object>> rows(int first, int number, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int row = first; row < first + number; row++) {
            List<@Nullable Object> drawn = new ArrayList<>();
            for (List<@Nullable Object> choices : values) {
                Object value = choices.get(random.nextInt(choices.size()));
                drawn.add(value instanceof Numbered numbered ? numbered.of(row) : value);
            }
            rows.add(drawn);
        }
        return rows;
    }

    /** Those of a server. */
    static List<Shape> of(Server server) {
        return Stream.concat(
                        CommonShapes.of(server).stream(),
                        switch (server) {
                            case POSTGRESQL -> PostgresShapes.ALL.stream();
                            case MARIADB, MYSQL -> MariaDbShapes.ALL.stream();
                            case H2 -> H2Shapes.ALL.stream();
                            case H2_AS_MYSQL -> H2Shapes.AS_MYSQL.stream();
                            case H2_AS_POSTGRESQL -> H2Shapes.AS_POSTGRESQL.stream();
                        })
                .toList();
    }
}
