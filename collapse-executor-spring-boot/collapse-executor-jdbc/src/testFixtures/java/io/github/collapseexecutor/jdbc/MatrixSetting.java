package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a table or a session of the matrix is like beside its {@link MatrixRule}; one for each cell. */
enum MatrixSetting {
    PLAIN(Database.values()),
    SERIALIZABLE(Database.values()) {
        @Override
        String session(Database database) {
            return switch (database) {
                case MARIADB -> "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE";
                case POSTGRESQL -> "SET default_transaction_isolation = 'serializable'";
                case H2 -> "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE";
            };
        }
    },
    /** Nothing may be written. */
    READ_ONLY(Database.MARIADB, Database.POSTGRESQL) {
        @Override
        String session(Database database) {
            return database == Database.MARIADB
                    ? "SET SESSION TRANSACTION READ ONLY"
                    : "SET default_transaction_read_only = on";
        }
    },
    /** Two rows may not have one amount either. */
    TWO_KEYS(Database.values()) {
        @Override
        String columns(Database database, String table) {
            return ", UNIQUE (amount)";
        }
    },
    /** Commits begin the next transaction. */
    CHAINED(Database.MARIADB) {
        @Override
        String session(Database database) {
            return "SET completion_type = 1";
        }
    },
    /** Generated keys begin somewhere else. */
    OFFSET(Database.MARIADB) {
        @Override
        String session(Database database) {
            return "SET auto_increment_offset = 3";
        }
    },
    /** The table keeps what was in its rows before. */
    VERSIONED(Database.MARIADB) {
        @Override
        String behind() {
            return " WITH SYSTEM VERSIONING";
        }
    },
    /** Keys of a sequence. */
    SEQUENCE(Database.MARIADB) {
        @Override
        String before() {
            return "CREATE SEQUENCE IF NOT EXISTS matrix_ids";
        }

        @Override
        String changed(String columns) {
            return columns.replace("AUTO_INCREMENT", "DEFAULT NEXTVAL(matrix_ids)");
        }
    },
    /** Texts that the table's characters cannot hold become others. */
    NARROW(Database.MARIADB) {
        @Override
        String behind() {
            return " CHARACTER SET latin1";
        }

        @Override
        String session(Database database) {
            return "SET sql_mode = 'NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO'";
        }
    },
    /** Keys are not looked at before a row is stored. */
    UNCHECKED(Database.MARIADB) {
        @Override
        String session(Database database) {
            return "SET unique_checks = 0, foreign_key_checks = 0";
        }
    },
    /** Texts of times and dates, and the place of the session. */
    TIME_ZONE(Database.POSTGRESQL) {
        @Override
        String session(Database database) {
            return "SET timezone = 'Asia/Kolkata'; SET datestyle = 'ISO, DMY'; SET intervalstyle = 'sql_standard'";
        }
    },
    /** A column that overflows with half of the amounts that the others take. */
    GENERATED(Database.values()) {
        @Override
        String columns(Database database, String table) {
            return ", doubled INT GENERATED ALWAYS AS (amount * 20000000)" + (database == Database.H2 ? "" : " STORED");
        }
    },
    /** Ids may not be given. */
    IDENTITY_ALWAYS(Database.H2, Database.POSTGRESQL) {
        @Override
        String changed(String columns) {
            return columns.replace("BY DEFAULT", "ALWAYS");
        }
    },
    /** MariaDB stores something else instead of a value that does not fit. */
    LENIENT(Database.MARIADB) {
        @Override
        String session(Database database) {
            return "SET sql_mode = ''";
        }
    },
    /** Texts are quoted otherwise. */
    QUOTES(Database.MARIADB) {
        @Override
        String session(Database database) {
            return "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', time_zone = '+05:30'";
        }
    },
    SEVERAL_STATEMENTS(Database.MARIADB) {
        @Override
        List<String> options() {
            return List.of("allowMultiQueries=true");
        }
    },
    NO_TRANSACTIONS(Database.MARIADB) {
        @Override
        String behind() {
            return " ENGINE = MyISAM";
        }
    },
    PARTITIONED(Database.MARIADB) {
        @Override
        String changed(String columns) {
            return columns.replace("PRIMARY KEY", ", PRIMARY KEY (id, tag)")
                    .replaceAll(", FOREIGN KEY.*", ""); // MariaDB has none there
        }

        @Override
        String behind() {
            return " PARTITION BY KEY (tag) PARTITIONS 3";
        }
    },
    PARTS(Database.POSTGRESQL) {
        @Override
        String changed(String columns) {
            return columns.replaceAll("GENERATED.*?PRIMARY KEY", "NOT NULL DEFAULT nextval('matrix_ids')");
        }

        @Override
        String before() {
            return "CREATE SEQUENCE IF NOT EXISTS matrix_ids";
        }

        @Override
        String behind() {
            return " PARTITION BY HASH (tag)";
        }

        @Override
        String after(String table) {
            return ("CREATE TABLE %1$s_0 PARTITION OF %1$s FOR VALUES WITH (MODULUS 2, REMAINDER 0);"
                            + " CREATE TABLE %1$s_1 PARTITION OF %1$s (CHECK (amount < 75)) FOR VALUES WITH (MODULUS 2, REMAINDER 1)")
                    .formatted(table);
        }
    },
    AUTOSAVE(Database.POSTGRESQL) {
        @Override
        List<String> options() {
            return List.of("autosave=always", "cleanupSavepoints=true");
        }
    },
    /** Drivers that believe to know what the session's state is, and keep what they have prepared. */
    LOCAL_STATE(Database.MARIADB) {
        @Override
        List<String> options() {
            return List.of(
                    "useLocalSessionState=true",
                    "useLocalTransactionState=true",
                    "elideSetAutoCommits=true",
                    "cachePrepStmts=true",
                    "cacheServerConfiguration=true",
                    "useCursorFetch=true");
        }
    },
    /** A driver that tries a statement again only if its plan is out of date, and sends values in binary form from the first. */
    CONSERVATIVE(Database.POSTGRESQL) {
        @Override
        List<String> options() {
            return List.of("autosave=conservative", "prepareThreshold=-1");
        }
    },
    /** What the driver sends has no type. */
    UNTYPED(Database.POSTGRESQL) {
        @Override
        List<String> options() {
            return List.of("stringtype=unspecified", "binaryTransfer=false");
        }
    },
    DOMAIN(Database.POSTGRESQL) {
        @Override
        String before() {
            return "DO $$ BEGIN CREATE DOMAIN matrix_amount AS INT CHECK (VALUE < 80);"
                    + " EXCEPTION WHEN duplicate_object THEN NULL; END $$";
        }

        @Override
        String changed(String columns) {
            return columns.replace("amount INT", "amount matrix_amount");
        }
    },
    INHERITED(Database.POSTGRESQL) {
        @Override
        String before() {
            return "CREATE TABLE IF NOT EXISTS matrix_parent (tag VARCHAR(20), CHECK (length(tag) < 20))";
        }

        @Override
        String behind() {
            return " INHERITS (matrix_parent)";
        }
    },
    /** Whether tags are unique is looked at in the commit. */
    DEFERRED(Database.POSTGRESQL) {
        @Override
        String changed(String columns) {
            return columns.contains("FOREIGN KEY")
                    ? columns
                    : columns.replace("UNIQUE", "UNIQUE DEFERRABLE INITIALLY DEFERRED");
        }
    },
    /** Whether a parent is there is looked at in the commit. */
    DEFERRED_PARENT(Database.POSTGRESQL) {
        @Override
        String columns(Database database, String table) {
            return ", FOREIGN KEY (parent) REFERENCES %s (tag) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
                    .formatted(table);
        }
    },
    ROW_SECURITY(Database.POSTGRESQL) {
        @Override
        String before() {
            return "DO $$ BEGIN CREATE ROLE matrix_role; EXCEPTION WHEN duplicate_object THEN NULL; END $$";
        }

        @Override
        String after(String table) {
            return ("ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY;"
                            + " CREATE POLICY amounts ON %1$s USING (true) WITH CHECK (amount < 80);"
                            + " GRANT ALL ON ALL TABLES IN SCHEMA public TO matrix_role;"
                            + " GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO matrix_role")
                    .formatted(table);
        }

        @Override
        String session(Database database) {
            return "SET ROLE matrix_role";
        }
    };

    private static final Set<MatrixSetting> LONG_FORM =
            EnumSet.of(CHAINED, OFFSET, VERSIONED, SEQUENCE, NARROW, UNCHECKED, TIME_ZONE, LOCAL_STATE, CONSERVATIVE);

    // immutable
    private final String databases;

    MatrixSetting(Database... databases) {
        this.databases = Arrays.toString(databases);
    }

    /** Those of a database; first those that each build has. */
    static List<MatrixSetting> of(Database database) {
        return Arrays.stream(values())
                .filter(setting -> setting.databases.contains(database.name()))
                .sorted(Comparator.comparing(LONG_FORM::contains))
                .toList();
    }

    static int numberInEachBuild(Database database) {
        return (int) of(database).stream()
                .filter(setting -> !LONG_FORM.contains(setting))
                .count();
    }

    /** The driver's options. */
    List<String> options() {
        return List.of();
    }

    /** A statement for each session; empty for none. */
    String session(Database database) {
        return "";
    }

    /** A statement in front of those that create a table; empty for none. */
    String before() {
        return "";
    }

    /** Further columns and constraints. */
    String columns(Database database, String table) {
        return "";
    }

    /** The columns and constraints of a table, changed. */
    String changed(String columns) {
        return columns;
    }

    /** What stands behind the columns of a table. */
    String behind() {
        return "";
    }

    /** A statement for a table that is created; empty for none. */
    String after(String table) {
        return "";
    }

    /** Whether a transaction can lock a row, and take back that it has stored it. */
    boolean hasTransactions() {
        return this != NO_TRANSACTIONS;
    }

    Connection begin(Connection connection, Database database) throws SQLException {
        if (!session(database).isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(session(database));
            }
        }
        return connection;
    }
}
