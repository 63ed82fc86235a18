package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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

    /**
     * A pool of one connection, to be closed.
     *
     * @param increment the difference of two numbers that the session makes one after another, where a session has one
     */
    HikariDataSource pool(List<String> options, int increment) {
        String parted = database == Database.H2 ? ";" : "&";
        StringBuilder url = new StringBuilder(url());
        options.forEach(option -> url.append(parted).append(option));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.toString());
        config.setMaximumPoolSize(1);
        if (database == Database.MARIADB) {
            config.setConnectionInitSql("SET SESSION auto_increment_increment = " + increment);
        }
        return new HikariDataSource(config);
    }
}
