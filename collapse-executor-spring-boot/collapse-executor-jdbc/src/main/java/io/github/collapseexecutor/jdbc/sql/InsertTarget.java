package io.github.collapseexecutor.jdbc.sql;

import io.github.collapseexecutor.jdbc.connection.FailureKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What PostgreSQL's catalogue says of the table of an INSERT, and so whether many rows may be one statement.
 *
 * <p>Within one statement, a trigger that runs after a row runs when all rows are stored. A default that a function reads sees the table as it
 * was before the statement. A row may name one of the same statement that is stored behind it. So only a table is taken of which the catalogue shows
 * that none of this can happen. A trigger that runs before a row, and may see what the statement has stored so far, sees the same as with single
 * rows. Public for other packages of the library only.
 */
public enum InsertTarget {

    /** Nothing looks at the rows while they are stored. */
    PLAIN,
    /** A trigger before each row may leave it out: the number of rows that were stored has to be looked at. */
    MAY_LEAVE_ROWS_OUT,
    /** The table is not found, or the catalogue cannot be read. */
    UNKNOWN,
    /** A view, a foreign table, a table with rules or with policies for rows. */
    NO_PLAIN_TABLE,
    /** A trigger after each row or for each statement, or one that does not see what the statement has stored. */
    TRIGGER,
    /** The table refers to itself, or a trigger may store the rows that it refers to. */
    REFERENCE,
    /** A default or a constraint calls a function that may read. */
    EXPRESSION;

    /**
     * What the catalogue says of a table.
     *
     * @param columns its columns in their order, each with the name of its type; that is empty if the type is not one of the database itself
     * @param defers whether a constraint of any table may be looked at in the commit; so if the catalogue cannot be read
     */
    public record Table(InsertTarget target, Map<String, String> columns, boolean defers) {

        private static final Table UNKNOWN = new Table(InsertTarget.UNKNOWN, Map.of(), true);
    }

    /**
     * The table and what is below it. Of functions, those of the database itself and those in C count as functions that read no table;
     * those that are said to be immutable as well.
     */
    private static final String LOOK = """
            WITH RECURSIVE named AS (
              SELECT pg_catalog.to_regclass(NULLIF(?, '')) AS oid
            ), tables AS (
              SELECT c.oid, c.relkind, c.relhasrules, c.relrowsecurity
              FROM pg_catalog.pg_class c JOIN named ON named.oid = c.oid
              UNION
              SELECT c.oid, c.relkind, c.relhasrules, c.relrowsecurity
              FROM tables JOIN pg_catalog.pg_inherits i ON i.inhparent = tables.oid JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
            ), triggers AS (
              SELECT t.tgtype & 3 = 3 AND f.provolatile = 'v' AND t.tgqual IS NULL AS before_each_row
              FROM pg_catalog.pg_trigger t JOIN tables ON tables.oid = t.tgrelid JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid
              WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & 4 = 4
            ), foreign_keys AS (
              SELECT k.confrelid FROM pg_catalog.pg_constraint k JOIN tables ON tables.oid = k.conrelid WHERE k.contype = 'f'
            ), types AS (
              SELECT a.atttypid AS oid FROM pg_catalog.pg_attribute a JOIN tables ON tables.oid = a.attrelid WHERE a.attnum > 0
              UNION
              SELECT part.oid FROM types JOIN pg_catalog.pg_type t ON t.oid = types.oid AND t.typtype IN ('d', 'c', 'b')
              CROSS JOIN LATERAL (
                SELECT t.typbasetype AS oid WHERE t.typbasetype <> 0
                UNION ALL
                SELECT t.typelem WHERE t.typelem <> 0
                UNION ALL
                SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE t.typrelid <> 0 AND a.attrelid = t.typrelid AND a.attnum > 0
              ) part
            ), expressions AS (
              SELECT 'pg_catalog.pg_attrdef'::regclass AS catalog, d.oid
              FROM pg_catalog.pg_attrdef d JOIN tables ON tables.oid = d.adrelid
              UNION ALL
              SELECT 'pg_catalog.pg_constraint'::regclass, k.oid
              FROM pg_catalog.pg_constraint k
              WHERE k.conrelid IN (SELECT oid FROM tables) OR k.contypid IN (SELECT oid FROM types)
              UNION ALL
              SELECT 'pg_catalog.pg_type'::regclass, oid FROM types
            ), columns AS (
              SELECT a.attnum, a.attname, CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN t.typname ELSE '' END AS type
              FROM pg_catalog.pg_attribute a JOIN named ON named.oid = a.attrelid JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
              WHERE a.attnum > 0 AND NOT a.attisdropped
            )
            SELECT CASE
              WHEN NOT EXISTS (SELECT 1 FROM tables) THEN 'UNKNOWN'
              WHEN EXISTS (SELECT 1 FROM tables WHERE relkind NOT IN ('r', 'p') OR relhasrules OR relrowsecurity) THEN 'NO_PLAIN_TABLE'
              WHEN EXISTS (SELECT 1 FROM triggers WHERE NOT before_each_row) THEN 'TRIGGER'
              WHEN EXISTS (SELECT 1 FROM foreign_keys WHERE confrelid IN (SELECT oid FROM tables) OR EXISTS (SELECT 1 FROM triggers))
                THEN 'REFERENCE'
              WHEN EXISTS (
                SELECT 1 FROM expressions e
                JOIN pg_catalog.pg_depend d ON d.classid = e.catalog AND d.objid = e.oid
                LEFT JOIN pg_catalog.pg_operator o ON d.refclassid = 'pg_catalog.pg_operator'::regclass AND o.oid = d.refobjid
                JOIN pg_catalog.pg_proc f
                  ON f.oid = CASE WHEN d.refclassid = 'pg_catalog.pg_proc'::regclass THEN d.refobjid ELSE o.oprcode END
                JOIN pg_catalog.pg_language l ON l.oid = f.prolang
                WHERE f.provolatile <> 'i' AND l.lanname NOT IN ('c', 'internal')) THEN 'EXPRESSION'
              WHEN EXISTS (SELECT 1 FROM triggers) THEN 'MAY_LEAVE_ROWS_OUT'
              ELSE 'PLAIN' END,
              ARRAY(SELECT attname::text FROM columns ORDER BY attnum),
              ARRAY(SELECT type::text FROM columns ORDER BY attnum),
              EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE condeferred)
            """;

    /**
     * Looks at the catalogue, before anything is written over the connection.
     *
     * @param table its name as it stands in the statement; empty for none
     * @throws SQLException if the connection is lost
     */
    public static Table of(Connection connection, String table) throws SQLException {
        try (PreparedStatement look = connection.prepareStatement(LOOK)) {
            look.setString(1, table);
            try (ResultSet answer = look.executeQuery()) {
                return answer.next()
                        ? new Table(valueOf(answer.getString(1)), columns(answer), answer.getBoolean(4))
                        : Table.UNKNOWN;
            }
        } catch (SQLException | RuntimeException unreadable) {
            if (FailureKind.of(unreadable) == FailureKind.CONNECTION) {
                throw unreadable;
            }
            if (!connection.getAutoCommit()) {
                connection.rollback(); // or the failure would be that of each further statement
            }
            return Table.UNKNOWN;
        }
    }

    private static Map<String, String> columns(ResultSet answer) throws SQLException {
        Object[] names = (Object[]) answer.getArray(2).getArray();
        Object[] types = (Object[]) answer.getArray(3).getArray();
        Map<String, String> columns = new LinkedHashMap<>();
        for (int index = 0; index < names.length; index++) {
            columns.put((String) names[index], (String) types[index]);
        }
        return columns;
    }

    /** Whether many rows may be one statement, if the number of rows that it stored is looked at. */
    public boolean takesManyRows() {
        return this == PLAIN || this == MAY_LEAVE_ROWS_OUT;
    }
}
