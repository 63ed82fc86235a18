package io.github.collapseexecutor.jdbc.sql;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the text of a statement says of it, without its comments, strings and quoted names. Public for other packages of the library only.
 */
public final class StatementText {

    private static final Pattern NO_CODE =
            Pattern.compile("'(?:[^'\\\\]|\\\\.|'')*+'|\"[^\"]*+\"|`[^`]*+`|\\[[^]]*+]|--[^\\n]*+|(?s:/\\*.*?\\*/)"
                    + "|\\$(\\w*)\\$(?s:.*?)\\$\\1\\$");

    /** An INSERT of one VALUES row that either writes exactly this row or fails. */
    private static final Pattern SINGLE_INSERT =
            Pattern.compile("(?is)\\s*INSERT\\s+INTO\\b.*\\bVALUES\\s*\\(.*\\)[\\s;]*");

    private static final Pattern MAY_WRITE_ANOTHER_NUMBER =
            Pattern.compile("(?i)\\b(?:IGNORE|DUPLICATE|CONFLICT|SELECT|RETURNING)\\b|\\)\\s*,\\s*\\(");

    private static final Pattern TABLE_OF_INSERT = Pattern.compile(
            "(?i)\\s*INSERT\\s+INTO\\s+((?:\"(?:[^\"]|\"\")*+\"|[\\w$]+)(?:\\s*\\.\\s*(?:\"(?:[^\"]|\"\")*+\"|[\\w$]+))*)");

    private static final Pattern RETURNS_ROWS =
            Pattern.compile("(?i)\\bRETURNING\\b|\\bOUTPUT\\s+(?:INSERTED|DELETED)\\s*\\.");

    private static final Pattern INNERMOST_PARENTHESES = Pattern.compile("\\([^()]*+\\)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");
    private static final Set<String> RETURN_A_COUNT = Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE");
    private static final Set<String> RETURN_ROWS = Set.of("SELECT", "VALUES", "TABLE", "FROM");

    private StatementText() {}

    /** Whether success means one row, also where the driver gives no count. */
    public static boolean writesExactlyOneRow(String sql) {
        return SINGLE_INSERT.matcher(sql).matches()
                && !MAY_WRITE_ANOTHER_NUMBER.matcher(sql).find();
    }

    /** Whether it begins as an INSERT, so that a driver may make one statement of those of many rows. */
    public static boolean isInsert(String sql) {
        Matcher words = WORD.matcher(NO_CODE.matcher(sql).replaceAll(" "));
        return words.find() && words.group().equalsIgnoreCase("INSERT");
    }

    /** The name of the table of an INSERT, as it stands there; null if it is not found. */
    public static @Nullable String tableOfInsert(String sql) {
        Matcher table = TABLE_OF_INSERT.matcher(sql);
        return table.lookingAt() ? table.group(1) : null;
    }

    /** Whether the statement may return rows, as with RETURNING, or as a SELECT or CALL does; a count else. */
    public static boolean mayReturnRows(String sql) {
        if (RETURNS_ROWS.matcher(sql).find()) { // also in a string: that costs a batch, and no row
            return true;
        }
        String code = NO_CODE.matcher(sql).replaceAll(" ");
        Matcher words = WORD.matcher(code);
        if (!words.find()) {
            return true;
        }
        String first = words.group().toUpperCase(Locale.ROOT);
        return first.equals("WITH") ? selectsAtItsEnd(code) : !RETURN_A_COUNT.contains(first) || isEscape(code);
    }

    /** Whether it is a call in JDBC's own syntax, such as { ? = call insert(?) }. */
    private static boolean isEscape(String code) {
        return code.stripLeading().startsWith("{");
    }

    /** Of WITH … (…) INSERT, the word behind the parentheses counts. */
    private static boolean selectsAtItsEnd(String code) {
        String outermost = code;
        for (Matcher inner = INNERMOST_PARENTHESES.matcher(outermost);
                inner.find();
                inner = INNERMOST_PARENTHESES.matcher(outermost)) {
            outermost = inner.replaceAll(" ");
        }
        Matcher words = WORD.matcher(outermost);
        while (words.find()) {
            String word = words.group().toUpperCase(Locale.ROOT);
            if (RETURN_A_COUNT.contains(word)) {
                return false;
            }
            if (RETURN_ROWS.contains(word)) {
                return true;
            }
        }
        return true;
    }
}
