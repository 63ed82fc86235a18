package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.h2.api.Trigger;

/** What a table of the matrix does with a new row beside storing it. */
enum MatrixRule {
    NONE(Database.values()),
    CHECK(Database.values()) {
        @Override
        String constraint() {
            return ", CHECK (amount < 80)";
        }
    },
    /** A trigger changes the row before it is stored. */
    CHANGES(Database.values()) {
        @Override
        String trigger(Database database, String table) {
            return trigger(
                    database, table, "BEFORE", "NEW.amount := NEW.amount + 1", "SET NEW.amount = NEW.amount + 1");
        }
    },
    /** A trigger notes the row, with its generated key, in another table. */
    NOTES(Database.values()) {
        @Override
        String trigger(Database database, String table) {
            String note = "INSERT INTO " + table + "_notes (text, amount) VALUES (NEW.tag, NEW.amount)";
            return trigger(database, table, "AFTER", note, note);
        }
    },
    /** A trigger refuses rows, each with a state of its own. */
    REFUSES(Database.values()) {
        @Override
        String trigger(Database database, String table) {
            StringBuilder plpgsql = new StringBuilder("CASE NEW.amount ");
            StringBuilder mariadb = new StringBuilder(plpgsql);
            REFUSED.forEach((amount, state) -> {
                plpgsql.append("WHEN %d THEN RAISE EXCEPTION USING ERRCODE = '%s'; ".formatted(amount, state));
                mariadb.append("WHEN %d THEN SIGNAL SQLSTATE '%s'; ".formatted(amount, state));
            });
            return trigger(
                    database, table, "BEFORE", plpgsql + "ELSE NULL; END CASE", mariadb + "ELSE BEGIN END; END CASE");
        }
    },
    /** A trigger notes each row, and then refuses some: the note goes with the row. */
    NOTES_THEN_REFUSES(Database.MARIADB, Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            String note = "INSERT INTO " + table
                    + "_notes (text, amount) VALUES (NEW.tag, NEW.amount); IF NEW.amount > 8 AND NEW.amount % 3 = 0 THEN ";
            return trigger(
                    database,
                    table,
                    "BEFORE",
                    note + "RAISE EXCEPTION USING ERRCODE = '23514'; END IF",
                    "BEGIN " + note + "SIGNAL SQLSTATE '45000'; END IF; END");
        }
    },
    /** The statement writes to a view that checks its rows. */
    VIEW(Database.MARIADB, Database.POSTGRESQL) {
        @Override
        String view(String table, String stored) {
            return "CREATE VIEW %s AS SELECT * FROM %s WHERE amount < 80 WITH CHECK OPTION".formatted(table, stored);
        }
    },
    /** The statement writes to a view whose trigger writes something else, tells another row than it has written, and says of some that there is none. */
    INSTEAD(Database.POSTGRESQL) {
        @Override
        String view(String table, String stored) {
            return ("CREATE VIEW %1$s AS SELECT * FROM %2$s;"
                            + " CREATE OR REPLACE FUNCTION %1$s_rule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                            + " IF TG_OP = 'DELETE' THEN DELETE FROM %2$s WHERE tag = OLD.tag; RETURN OLD; END IF;"
                            + " IF TG_OP = 'UPDATE' THEN UPDATE %2$s SET amount = NEW.amount WHERE tag = OLD.tag; RETURN NEW; END IF;"
                            + " INSERT INTO %2$s (tag, amount, state, parent)"
                            + " VALUES (NEW.tag, NEW.amount, (SELECT COUNT(*) FROM %2$s), NEW.parent) RETURNING id INTO NEW.id;"
                            + " IF NEW.amount %% 3 = 0 THEN RETURN NULL; END IF; NEW.tag := upper(NEW.tag); RETURN NEW; END $$;"
                            + " CREATE TRIGGER %1$s_rule INSTEAD OF INSERT OR UPDATE OR DELETE ON %1$s"
                            + " FOR EACH ROW EXECUTE FUNCTION %1$s_rule()")
                    .formatted(table, stored);
        }
    },
    /** The table is one of a server, which is this one. */
    FOREIGN(Database.POSTGRESQL) {
        @Override
        String view(String table, String stored) {
            return ("CREATE EXTENSION IF NOT EXISTS postgres_fdw; CREATE SEQUENCE IF NOT EXISTS matrix_ids;"
                            + " ALTER TABLE %2$s ALTER id DROP IDENTITY IF EXISTS;"
                            + " CREATE SERVER IF NOT EXISTS matrix FOREIGN DATA WRAPPER postgres_fdw OPTIONS"
                            + " (host 'localhost', port '%3$d', dbname 'postgres', options '-c lock_timeout=20 -c synchronous_commit=off');"
                            + " CREATE USER MAPPING IF NOT EXISTS FOR PUBLIC SERVER matrix OPTIONS (user 'postgres', password_required 'false');"
                            + " CREATE FOREIGN TABLE %1$s (id BIGINT DEFAULT nextval('matrix_ids'), tag VARCHAR(20), amount INT,"
                            + " state VARCHAR(9) DEFAULT 'new', parent VARCHAR(20)) SERVER matrix OPTIONS (table_name '%2$s')")
                    .formatted(table, stored, Database.POSTGRESQL.port());
        }
    },
    /** A trigger notes the sum of all rows so far: a running balance. */
    BALANCE(Database.MARIADB, Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            String note = "INSERT INTO %1$s_notes (text, amount) VALUES (NEW.tag, (SELECT SUM(amount) FROM %1$s))"
                    .formatted(table);
            return trigger(database, table, "AFTER", note, note);
        }
    },
    /** A trigger numbers the rows before they are stored. */
    NUMBERS(Database.MARIADB, Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            String number = "(SELECT COUNT(*) FROM " + table + ")";
            return trigger(database, table, "BEFORE", "NEW.state := " + number, "SET NEW.state = " + number);
        }
    },
    /** The same, by a function that sees the table as it was when the statement began. */
    NUMBERS_STABLE(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return NUMBERS.trigger(database, table).replace("LANGUAGE plpgsql", "LANGUAGE plpgsql STABLE");
        }
    },
    /** Two triggers: the second one reads what the first one wrote for the rows before. */
    NUMBERS_NOTES(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return NOTES.trigger(database, table) + "; "
                    + NUMBERS.trigger(database, table)
                            .replace("_rule", "_number")
                            .replace("FROM " + table, "FROM " + table + "_notes");
        }
    },
    /** A trigger leaves rows out. */
    LEAVES_OUT(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return trigger(database, table, "BEFORE", "IF NEW.amount % 3 = 0 THEN RETURN NULL; END IF", "");
        }
    },
    /** A trigger for each statement. */
    STATEMENT(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return trigger(
                            database,
                            table,
                            "AFTER",
                            "INSERT INTO %1$s_notes (text, amount) SELECT 'all', COUNT(*) FROM %1$s".formatted(table),
                            "")
                    .replace("FOR EACH ROW", "FOR EACH STATEMENT");
        }
    },
    /** A rule of PostgreSQL's, which makes another statement of the one that is sent. */
    REWRITES(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return ("CREATE RULE rewrite AS ON INSERT TO %1$s DO ALSO"
                            + " INSERT INTO %1$s_notes (text, amount) VALUES (NEW.tag, (SELECT COUNT(*) FROM %1$s))")
                    .formatted(table);
        }
    },
    /** A rule that makes nothing of some rows. */
    REWRITES_SOME(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return "CREATE RULE rewrite AS ON INSERT TO %s WHERE NEW.amount %% 3 = 0 DO INSTEAD NOTHING"
                    .formatted(table);
        }
    },
    /** A trigger that fires for some rows, as a function says that sees the table as it was when the statement began. */
    NUMBERS_SOME(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return ("CREATE OR REPLACE FUNCTION %1$s_when() RETURNS boolean LANGUAGE plpgsql STABLE AS"
                                    + " $$ BEGIN RETURN (SELECT COUNT(*) %% 2 = 0 FROM %1$s); END $$; ")
                            .formatted(table)
                    + NUMBERS.trigger(database, table)
                            .replace("FOR EACH ROW", "FOR EACH ROW WHEN (" + table + "_when())");
        }
    },
    /** A default value that a function reads from the table. */
    DEFAULT_READS(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return reading(table, "STABLE");
        }
    },
    DEFAULT_READS_VOLATILE(Database.POSTGRESQL) {
        @Override
        String trigger(Database database, String table) {
            return reading(table, "VOLATILE");
        }
    },
    /** A row names another one of its table. */
    PARENT(Database.values()) {
        @Override
        String constraint() {
            return ", FOREIGN KEY (parent) REFERENCES %s (tag) ON DELETE CASCADE";
        }
    };

    /** The states that a trigger refuses rows with, by amount; none that says that the connection or the transaction is lost. */
    private static final Map<Integer, String> REFUSED = new TreeMap<>();

    static {
        List<String> states = List.of(
                "02001", "07001", "0A000", "22001", "23001", "24001", "25001", "34001", "38001", "39001", "42001",
                "44000", "45000", "72001", "HV001", "P0001");
        for (int index = 0; index < states.size(); index++) {
            REFUSED.put(3 * index + 8, states.get(index));
        }
    }

    private static final Set<MatrixRule> LONG_FORM =
            EnumSet.of(NOTES_THEN_REFUSES, FOREIGN, REWRITES_SOME, NUMBERS_SOME);

    private static String reading(String table, String volatility) {
        return ("CREATE OR REPLACE FUNCTION %1$s_rule() RETURNS text LANGUAGE plpgsql %2$s"
                        + " AS $$ BEGIN RETURN (SELECT COUNT(*) FROM %1$s); END $$;"
                        + " ALTER TABLE %1$s ALTER COLUMN state SET DEFAULT %1$s_rule()")
                .formatted(table, volatility);
    }

    // immutable
    private final String databases;

    MatrixRule(Database... databases) {
        this.databases = Arrays.toString(databases);
    }

    /** Those of a database; first those that each build has. */
    static List<MatrixRule> of(Database database) {
        return Arrays.stream(values())
                .filter(rule -> rule.databases.contains(database.name()))
                .sorted(Comparator.comparing(LONG_FORM::contains))
                .toList();
    }

    static int numberInEachBuild(Database database) {
        return (int)
                of(database).stream().filter(rule -> !LONG_FORM.contains(rule)).count();
    }

    /** What stands behind the columns of the table. */
    String constraint() {
        return "";
    }

    /** The statement that creates what is written to instead of the table; empty for the table itself. */
    String view(String table, String stored) {
        return "";
    }

    /** The statement that creates its trigger; empty for none. */
    String trigger(Database database, String table) {
        return "";
    }

    static String trigger(Database database, String table, String time, String plpgsql, String mariadb) {
        return switch (database) {
            case MARIADB ->
                "CREATE TRIGGER %1$s_rule %2$s INSERT ON %1$s FOR EACH ROW %3$s".formatted(table, time, mariadb);
            case POSTGRESQL ->
                ("CREATE OR REPLACE FUNCTION %1$s_rule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %3$s; RETURN NEW; END $$;"
                                + " CREATE TRIGGER %1$s_rule %2$s INSERT ON %1$s FOR EACH ROW EXECUTE FUNCTION %1$s_rule()")
                        .formatted(table, time, plpgsql);
            case H2 ->
                "CREATE TRIGGER %1$s_rule %2$s INSERT ON %1$s FOR EACH ROW CALL '%3$s'"
                        .formatted(table, time, OnH2.class.getName());
        };
    }

    private static final String COLUMNS =
            "id BIGINT %s, tag VARCHAR(20) NOT NULL UNIQUE, amount INT, state VARCHAR(9) DEFAULT 'new', parent VARCHAR(20)";

    private static final String OTHER_COLUMNS =
            "parent VARCHAR(20), tag VARCHAR(20) NOT NULL UNIQUE, amount INT, state VARCHAR(9) DEFAULT 'other', id BIGINT %s";

    /**
     * What creates a table with this rule anew, and one beside it for notes.
     *
     * @param otherwise whether its columns have another order, and another default
     */
    List<String> creating(Database database, String table, int increment, MatrixSetting setting, boolean otherwise) {
        String identity = increment == 1 || database == Database.MARIADB
                ? database.identity()
                : "GENERATED BY DEFAULT AS IDENTITY (INCREMENT BY %d) PRIMARY KEY".formatted(increment);
        boolean isBehind = !view(table, table).isEmpty();
        String stored = isBehind ? table + "_stored" : table;
        String columns = setting.changed(
                ((otherwise ? OTHER_COLUMNS : COLUMNS) + constraint() + setting.columns(database, stored))
                        .formatted(identity, stored));
        return Stream.of(
                        isBehind ? "DROP " + (this == FOREIGN ? "FOREIGN TABLE" : "VIEW") + " IF EXISTS " + table : "",
                        "DROP TABLE IF EXISTS " + stored + (database == Database.POSTGRESQL ? " CASCADE" : ""),
                        "DROP TABLE IF EXISTS " + table + "_notes",
                        "CREATE TABLE %s_notes (id BIGINT %s, text VARCHAR(30), amount INT)"
                                .formatted(table, database.identity()),
                        setting.before(),
                        "CREATE TABLE %s (%s)%s".formatted(stored, columns, setting.behind()),
                        isBehind ? view(table, stored) : trigger(database, table),
                        setting.after(stored))
                .filter(sql -> !sql.isEmpty())
                .toList();
    }

    /** The triggers of H2, which are in Java. */
    public static final class OnH2 implements Trigger {

        // mutable, set once
        private String table = "";

        @Override
        public void init(Connection connection, String schema, String trigger, String table, boolean before, int type) {
            this.table = table.toLowerCase(Locale.ROOT);
        }

        @Override
        public void fire(Connection connection, Object[] before, Object[] row) throws SQLException {
            Integer amount = (Integer) row[2];
            if (isTableOf(CHANGES)) {
                row[2] = amount == null ? null : amount + 1;
                return;
            }
            if (isTableOf(REFUSES)) {
                if (amount != null && REFUSED.containsKey(amount)) {
                    throw new SQLException("refused", REFUSED.get(amount));
                }
                return;
            }
            try (PreparedStatement note =
                    connection.prepareStatement("INSERT INTO " + table + "_notes (text, amount) VALUES (?, ?)")) {
                note.setObject(1, row[1]);
                note.setObject(2, amount);
                note.executeUpdate();
            }
        }

        private boolean isTableOf(MatrixRule rule) {
            return table.contains(rule.name().toLowerCase(Locale.ROOT));
        }
    }
}
