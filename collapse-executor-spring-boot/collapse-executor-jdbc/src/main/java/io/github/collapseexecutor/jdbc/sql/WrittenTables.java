package io.github.collapseexecutor.jdbc.sql;

import io.github.collapseexecutor.jdbc.connection.FailureKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the catalogue of MariaDB or MySQL says of the tables that a statement may write to. Public for other packages of the library only.
 *
 * <p>It is asked for each name in the text of the statement, and in the texts of the views, triggers and routines that are found by such a name: so
 * the tables behind these are found, too, and no SQL has to be understood. A name may mean something else. That costs speed, and no row.
 *
 * @param haveTransactions whether each of them has transactions; an engine such as MyISAM has none
 * @param haveTriggers whether there is a trigger
 */
public record WrittenTables(boolean haveTransactions, boolean haveTriggers) {

    /** If the catalogue shows the session none of them. */
    private static final WrittenTables UNSEEN = new WrittenTables(true, true);

    /** If the catalogue cannot be read, as through a layer that does not understand the query: nothing says that a batch could be taken back. */
    private static final WrittenTables UNREADABLE = new WrittenTables(false, true);

    private static final String NAME = "(`(?:[^`]|``)++`|\"(?:[^\"]|\"\")++\"|[\\w$\\x{80}-\\x{FFFF}]++)";
    private static final Pattern NAMES = Pattern.compile(NAME + "(?:\\s*\\.\\s*(?=" + NAME + "))?");

    /**
     * A row for each thing of the names: its schema, whether it has transactions, whether it is a trigger, and a text with further names. For SCHEMA()
     * one could write DATABASE(), of which jOOQ's parser makes what MariaDB does not know.
     */
    private static final String LOOK = """
            SELECT TABLE_SCHEMA, TRANSACTIONS = 'YES' OR TABLE_TYPE LIKE '%VIEW', 0, ''
            FROM information_schema.TABLES t LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
            WHERE TABLE_SCHEMA = COALESCE(NULLIF(?, ''), SCHEMA()) AND TABLE_NAME IN (:names)
            UNION ALL
            SELECT TABLE_SCHEMA, 1, 0, VIEW_DEFINITION FROM information_schema.VIEWS
            WHERE TABLE_SCHEMA = COALESCE(NULLIF(?, ''), SCHEMA()) AND TABLE_NAME IN (:names)
            UNION ALL
            SELECT TRIGGER_SCHEMA, 1, 1, ACTION_STATEMENT FROM information_schema.TRIGGERS
            WHERE EVENT_OBJECT_SCHEMA = COALESCE(NULLIF(?, ''), SCHEMA()) AND EVENT_OBJECT_TABLE IN (:names)
            UNION ALL
            SELECT ROUTINE_SCHEMA, 1, 0, ROUTINE_DEFINITION FROM information_schema.ROUTINES
            WHERE ROUTINE_SCHEMA = COALESCE(NULLIF(?, ''), SCHEMA()) AND ROUTINE_NAME IN (:names)
            """;

    private static final int PARTS = 4;

    /** Names of one schema; that is empty if it is the session's own. */
    private record Names(String schema, Set<String> names) {}

    /**
     * Looks at the catalogue, before anything is written over the connection.
     *
     * @throws SQLException if the connection is lost
     */
    public static WrittenTables of(Connection connection, String sql) throws SQLException {
        boolean isSeen = false;
        boolean haveTransactions = true;
        boolean haveTriggers = false;
        Set<Names> known = new HashSet<>();
        Deque<Names> open = new ArrayDeque<>(namesIn("", sql));
        while (!open.isEmpty()) {
            Names names = open.pop();
            if (!known.add(names)) {
                continue;
            }
            try (PreparedStatement look = prepared(connection, names);
                    ResultSet answer = look.executeQuery()) {
                while (answer.next()) {
                    isSeen = true;
                    haveTransactions &= answer.getBoolean(2);
                    haveTriggers |= answer.getBoolean(3);
                    String text = answer.getString(4);
                    if (text != null) {
                        open.addAll(namesIn(answer.getString(1), text));
                    }
                }
            } catch (SQLException | RuntimeException unreadable) {
                if (FailureKind.of(unreadable) == FailureKind.CONNECTION) {
                    throw unreadable;
                }
                return UNREADABLE;
            }
        }
        return isSeen ? new WrittenTables(haveTransactions, haveTriggers) : UNSEEN;
    }

    /** The names in a text, by schema: each word may be one, and each word with a point behind it may be a schema. */
    private static List<Names> namesIn(String schema, String text) {
        Map<String, Set<String>> bySchema = new LinkedHashMap<>();
        Matcher name = NAMES.matcher(text);
        while (name.find()) {
            String plain = plain(name.group(1));
            bySchema.computeIfAbsent(schema, key -> new HashSet<>()).add(plain);
            if (name.group(2) != null) {
                bySchema.computeIfAbsent(plain, key -> new HashSet<>()).add(plain(name.group(2)));
            }
        }
        List<Names> names = new ArrayList<>();
        bySchema.forEach((key, value) -> names.add(new Names(key, value)));
        return names;
    }

    private static String plain(String name) {
        String quote = name.substring(0, 1);
        return quote.equals("`") || quote.equals("\"")
                ? name.substring(1, name.length() - 1).replace(quote + quote, quote)
                : name;
    }

    private static PreparedStatement prepared(Connection connection, Names names) throws SQLException {
        String list = "?" + ", ?".repeat(names.names().size() - 1);
        PreparedStatement look = connection.prepareStatement(LOOK.replace(":names", list));
        int position = 0;
        for (int part = 0; part < PARTS; part++) {
            look.setString(++position, names.schema());
            for (String name : names.names()) {
                look.setString(++position, name);
            }
        }
        return look;
    }
}
