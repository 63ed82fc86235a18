package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The drivers of the matrix, each with the options that change how it sends the rows of a batch; each option is on or off. */
enum MatrixDriver {
    MARIADB(Database.MARIADB, "useBulkStmts=true", "useServerPrepStmts=true", "disablePipeline=true") {
        @Override
        String url() {
            return Database.MARIADB.url();
        }
    },
    MYSQL(Database.MARIADB, "rewriteBatchedStatements=true", "useServerPrepStmts=true", "useAffectedRows=true") {
        @Override
        String url() {
            return Database.mysqlDriversUrl();
        }
    },
    POSTGRESQL(Database.POSTGRESQL, "reWriteBatchedInserts=true", "prepareThreshold=1", "preferQueryMode=simple") {
        @Override
        String url() {
            return Database.POSTGRESQL.url();
        }
    },
    H2(Database.H2, "LAZY_QUERY_EXECUTION=1") {
        @Override
        String url() {
            return Database.H2.url();
        }
    };

    // immutable
    final Database database;
    private final String options;

    MatrixDriver(Database database, String... options) {
        this.database = database;
        this.options = String.join(" ", options);
    }

    abstract String url();

    /** Each set of its options. */
    List<List<String>> optionSets() {
        List<List<String>> sets = new ArrayList<>(List.of(List.of()));
        for (String option : options.split(" ", -1)) {
            for (List<String> without : List.copyOf(sets)) {
                List<String> with = new ArrayList<>(without);
                with.add(option);
                sets.add(with);
            }
        }
        return sets;
    }

    private static String url(String plain, Database database, List<String> options) {
        StringBuilder url = new StringBuilder(plain);
        options.forEach(
                option -> url.append(database == Database.H2 ? ";" : "&").append(option));
        return url.toString();
    }

    /**
     * A connection whose log is not synced, where a session may say so.
     *
     * @param increment the difference of two keys that it makes one after another, where that is the session's
     */
    Connection connect(List<String> options, int increment) throws SQLException {
        return connect(url(), options, increment);
    }

    /** The same, at an address that leads to its server. */
    Connection connect(String plainUrl, List<String> options, int increment) throws SQLException {
        Connection connection = DriverManager.getConnection(url(plainUrl, database, options));
        try (Statement statement = connection.createStatement()) {
            switch (database) {
                case MARIADB -> statement.execute("SET sql_log_bin = 0, auto_increment_increment = " + increment);
                case POSTGRESQL -> statement.execute("SET synchronous_commit = off");
                case H2 -> {}
            }
        }
        return connection;
    }
}
