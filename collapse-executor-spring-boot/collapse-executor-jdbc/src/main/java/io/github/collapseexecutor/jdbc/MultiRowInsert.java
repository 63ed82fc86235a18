package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An INSERT of one row of parameters and constants, written as an INSERT of many: {@code VALUES (?, ?), (?, ?), …}. The database binds, plans
 * and executes it once for all rows, where it would do so for each. It writes all its rows or none, so that the number of rows is the
 * count of each: 1.
 *
 * <p>Another VALUES row is not taken: an expression might read what the rows before it have written,
 * which rows of one statement do not all see. The texts of each length are made once, because drivers know a statement by its text, and databases
 * keep the plan of one that is used often.
 */
final class MultiRowInsert {

    /** More rows gain nothing; fewer texts are kept by drivers and databases. */
    static final int ROWS_AT_MOST = 256;

    /** PostgreSQL's protocol counts them in two bytes; half of that holds for older drivers. */
    private static final int PARAMETERS_AT_MOST = 32_767;

    /** Names and a column list, but no comment, string or parameter, up to the row behind VALUES. */
    private static final Pattern BEFORE_ROW =
            Pattern.compile("(?i)\\s*INSERT\\s+INTO\\s[\\w\\s.,\"$()]*\\bVALUES\\s*(?=\\()");

    /** A parameter or constant, and what parts it from the next one or ends the row. */
    private static final Pattern VALUE =
            Pattern.compile("(?i)\\s*(\\?|-?\\d+(?:\\.\\d+)?|'[^'\\\\?]*'|NULL|DEFAULT|TRUE|FALSE"
                    + "|CURRENT_(?:TIMESTAMP|DATE|TIME)|NOW\\(\\))\\s*([,)])");

    private static final Pattern BEHIND_ROW = Pattern.compile("[\\s;]*");
    private static final Pattern OTHER_STATEMENT = Pattern.compile("(?i)\\b(?:SELECT|WITH|TABLE)\\b");

    // immutable
    private final String before;
    private final String row;
    private final List<String> values;
    private final int parameters;
    private final int rowsAtMost;

    // mutable, thread-safe; by number of rows, each set to equal values
    private final AtomicReferenceArray<@Nullable String> texts;

    private MultiRowInsert(String before, String row, List<String> values, int parameters) {
        this.before = before;
        this.row = row;
        this.values = List.copyOf(values);
        this.parameters = parameters;
        this.rowsAtMost = Math.min(ROWS_AT_MOST, PARAMETERS_AT_MOST / parameters);
        this.texts = new AtomicReferenceArray<>(rowsAtMost + 1);
    }

    /** The form of a statement for many rows; null if it is not known to mean the same. */
    static @Nullable MultiRowInsert of(String sql) {
        Matcher before = BEFORE_ROW.matcher(sql);
        if (!before.lookingAt() || OTHER_STATEMENT.matcher(before.group()).find()) {
            return null;
        }
        List<String> values = new ArrayList<>();
        Matcher value = VALUE.matcher(sql);
        int end = before.end() + 1;
        do {
            if (!value.region(end, sql.length()).lookingAt()) {
                return null;
            }
            values.add(value.group(1));
            end = value.end();
        } while (value.group(2).equals(","));
        boolean isAll = BEHIND_ROW.matcher(sql).region(end, sql.length()).matches();
        int parameters = (int) values.stream().filter(each -> each.equals("?")).count();
        return !isAll || parameters == 0 || 2 * parameters > PARAMETERS_AT_MOST
                ? null
                : new MultiRowInsert(before.group(), sql.substring(before.end(), end), values, parameters);
    }

    /** The text up to the VALUES row. */
    String before() {
        return before;
    }

    /** What stands in the VALUES row: parameters and constants. */
    List<String> values() {
        return values;
    }

    /** Whether it writes NULL, whatever its parameters are. */
    boolean holdsNull() {
        return values.stream().anyMatch("NULL"::equalsIgnoreCase);
    }

    int rowsAtMost() {
        return rowsAtMost;
    }

    /** Whether a row is given as values, as many as the statement has parameters. */
    boolean takes(Row row) {
        return row.numberOfValues() == parameters;
    }

    /** The text for a number of rows, from 1 to {@link #rowsAtMost()}. */
    String sql(int rows) {
        String known = texts.get(rows);
        if (known == null) {
            known = before + row + (", " + row).repeat(rows - 1);
            texts.set(rows, known);
        }
        return known;
    }

    /** The statement for rows that it {@linkplain #takes takes}, from 1 to {@link #rowsAtMost()}. */
    OneStatement with(List<Row> rows) {
        return new WithRows(sql(rows.size()), parameters, rows);
    }

    private record WithRows(String sql, int parametersOfRow, List<Row> rows) implements OneStatement {

        @Override
        public int parameters() {
            return rows.size() * parametersOfRow;
        }

        @Override
        public void set(Connection connection, PreparedStatement prepared) throws SQLException {
            int before = 0;
            for (Row row : rows) {
                row.setValues(prepared, before);
                before += parametersOfRow;
            }
        }
    }
}
