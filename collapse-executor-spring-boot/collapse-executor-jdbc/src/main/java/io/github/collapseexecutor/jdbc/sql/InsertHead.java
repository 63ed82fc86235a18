package io.github.collapseexecutor.jdbc.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What stands in front of the VALUES row of an INSERT to PostgreSQL. Public for other packages of the library only.
 *
 * @param into the statement up to its columns
 * @param columns the names of its columns as the catalogue has them; none if it names none
 */
public record InsertHead(String into, List<String> columns) {

    private static final String NAME = "(?:\"(?:[^\"]|\"\")++\"|[A-Za-z_][\\w$]*+)";

    private static final Pattern FORM = Pattern.compile("(?i)(\\s*INSERT\\s+INTO\\s+" + NAME + "(?:\\s*\\.\\s*" + NAME
            + ")*+(?:\\s+AS\\s+" + NAME + ")?)\\s*(?:\\(((?:\\s*+" + NAME + "\\s*+,?)++)\\)\\s*)?VALUES\\s*");

    private static final Pattern COLUMN = Pattern.compile(NAME);

    /** Reads it; null if there is more than a table and its columns. */
    public static @Nullable InsertHead of(String sql) {
        Matcher form = FORM.matcher(sql);
        if (!form.matches()) {
            return null;
        }
        List<String> columns = new ArrayList<>();
        String listed = form.group(2);
        if (listed != null) {
            Matcher column = COLUMN.matcher(listed);
            while (column.find()) {
                String name = column.group();
                columns.add(
                        name.startsWith("\"")
                                ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                                : name.toLowerCase(Locale.ROOT));
            }
        }
        return new InsertHead(form.group(1), columns);
    }

    /** A name of the catalogue as it may stand in a statement. */
    public static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
