package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
    private final List<String> options;

    MatrixDriver(Database database, String... options) {
        this.database = database;
        this.options = List.of(options);
    }

    abstract String url();

    /** Each set of its options. */
    List<List<String>> optionSets() {
        List<List<String>> sets = new ArrayList<>();
        for (int bits = 0; bits < 1 << options.size(); bits++) {
            List<String> set = new ArrayList<>();
            for (int option = 0; option < options.size(); option++) {
                if ((bits >> option & 1) == 1) {
                    set.add(options.get(option));
                }
            }
            sets.add(set);
        }
        return sets;
    }

    private String url(List<String> options) {
        StringBuilder url = new StringBuilder(url());
        options.forEach(
                option -> url.append(database == Database.H2 ? ";" : "&").append(option));
        return url.toString();
    }

    /** What a session is told first: the difference of two keys that it makes one after another, where that is the session's. */
    private String settings(int increment) {
        return database == Database.MARIADB ? "SET SESSION auto_increment_increment = " + increment : "SELECT 1";
    }

    /** A connection by itself, which syncs no log where a session may say so. */
    Connection connect(List<String> options, int increment) throws SQLException {
        Connection connection = DriverManager.getConnection(url(options));
        try (Statement statement = connection.createStatement()) {
            statement.execute(settings(increment));
            if (database != Database.H2) {
                statement.execute(
                        database == Database.MARIADB ? "SET sql_log_bin = 0" : "SET synchronous_commit = off");
            }
        }
        return connection;
    }

    /** A pool of one such connection, to be closed. */
    HikariDataSource pool(List<String> options, int increment) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(options));
        config.setMaximumPoolSize(1);
        config.setConnectionInitSql(settings(increment));
        return new HikariDataSource(config);
    }
}
