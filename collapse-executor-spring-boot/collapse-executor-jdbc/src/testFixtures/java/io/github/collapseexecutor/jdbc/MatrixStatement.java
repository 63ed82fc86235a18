package io.github.collapseexecutor.jdbc;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The shapes of statements of the matrix, in the words of each database. */
enum MatrixStatement {
    INSERT("tag amount") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (tag, amount) VALUES (?, ?)";
        }
    },
    DEFAULTS("tag amount") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (tag, amount, state) VALUES (?, ?, DEFAULT)";
        }
    },
    CHILD("tag amount parent") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (tag, amount, parent) VALUES (?, ?, ?)";
        }
    },
    MIXED_IDS("id tag amount") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (id, tag, amount) VALUES (?, ?, ?)";
        }
    },
    /** Rows with ids that the database would generate; on MariaDB, the key of the row that is there is told. */
    OVERRIDING("id tag amount") {
        @Override
        String sql(Database database) {
            return database == Database.MARIADB
                    ? "INSERT INTO %s (id, tag, amount) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id),"
                            + " amount = amount + VALUES(amount)"
                    : "INSERT INTO %s (id, tag, amount) OVERRIDING SYSTEM VALUE VALUES (?, ?, ?)";
        }
    },
    EXPRESSION("tag amount") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (tag, amount) VALUES (LOWER(?), ? + 1)";
        }
    },
    SELECTED("tag amount") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (tag, amount) SELECT CAST(? AS "
                    + (database == Database.MARIADB ? "CHAR" : "VARCHAR")
                    + "(30)), CAST(? AS DECIMAL(20))";
        }
    },
    TWO_ROWS("tag amount tag") {
        @Override
        String sql(Database database) {
            return "INSERT INTO %s (tag, amount) VALUES (?, ?), (CONCAT('2', CAST(? AS CHAR(5))), 0)";
        }
    },
    UPSERT("tag amount") {
        @Override
        String sql(Database database) {
            return switch (database) {
                case MARIADB ->
                    "INSERT INTO %s (tag, amount) VALUES (?, ?) ON DUPLICATE KEY UPDATE amount = amount + VALUES(amount)";
                case POSTGRESQL ->
                    "INSERT INTO %1$s (tag, amount) VALUES (?, ?)"
                            + " ON CONFLICT (tag) DO UPDATE SET amount = %1$s.amount + excluded.amount";
                case H2 -> "MERGE INTO %s (tag, amount) KEY (tag) VALUES (?, ?)";
            };
        }
    },
    IGNORING("tag amount") {
        @Override
        String sql(Database database) {
            return switch (database) {
                case MARIADB -> "INSERT IGNORE INTO %s (tag, amount) VALUES (?, ?)";
                case POSTGRESQL -> "INSERT INTO %s (tag, amount) VALUES (?, ?) ON CONFLICT DO NOTHING";
                case H2 ->
                    "MERGE INTO %1$s USING (VALUES (CAST(? AS VARCHAR(30)), CAST(? AS BIGINT))) AS given (tag, amount)"
                            + " ON given.tag = %1$s.tag WHEN NOT MATCHED THEN INSERT (tag, amount)"
                            + " VALUES (given.tag, given.amount)";
            };
        }
    },
    REPLACING("tag amount") {
        @Override
        String sql(Database database) {
            return database == Database.MARIADB ? "REPLACE INTO %s (tag, amount) VALUES (?, ?)" : UPSERT.sql(database);
        }
    },
    RETURNING("tag amount") {
        @Override
        String sql(Database database) {
            return database == Database.H2
                    ? "SELECT tag, id FROM FINAL TABLE (INSERT INTO %s (tag, amount) VALUES (?, ?))"
                    : "INSERT INTO %s (tag, amount) VALUES (?, ?) RETURNING tag, id";
        }
    },
    UPDATE("amount tag") {
        @Override
        String sql(Database database) {
            return "UPDATE %s SET amount = amount + ? WHERE tag = ?";
        }
    },
    DELETE("tag") {
        @Override
        String sql(Database database) {
            return "DELETE FROM %s WHERE tag = ?";
        }
    },
    /** The order of the columns is that of the table at the time. */
    UNNAMED("id tag amount") {
        @Override
        String sql(Database database) {
            return database == Database.POSTGRESQL
                    ? "INSERT INTO %s VALUES (?, ?, ?)"
                    : "INSERT INTO %s VALUES (?, ?, ?, DEFAULT, DEFAULT)";
        }
    };

    private static final Set<MatrixStatement> LONG_FORM = EnumSet.of(UNNAMED);

    // immutable
    /** What its parameters are: a tag, an amount, an id or the tag of a parent. */
    private final String parameters;

    MatrixStatement(String parameters) {
        this.parameters = parameters;
    }

    /** How many each build has; the others stand behind them. */
    static int numberInEachBuild() {
        return values().length - LONG_FORM.size();
    }

    List<String> parameters() {
        return List.of(parameters.split(" ", -1));
    }

    /** The SQL, with a format's place for the table. */
    abstract String sql(Database database);

    /** Whether it finds rows that are there instead of making new ones. */
    boolean changesRows() {
        return this == UPDATE || this == DELETE;
    }
}
