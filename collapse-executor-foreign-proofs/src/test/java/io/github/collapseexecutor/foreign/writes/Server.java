package io.github.collapseexecutor.foreign.writes;

import io.github.collapseexecutor.jdbc.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The databases and their drivers; a server is started with its first use. */
enum Server {
    H2("org.h2.Driver"),
    H2_AS_MYSQL("org.h2.Driver"),
    H2_AS_POSTGRESQL("org.h2.Driver"),
    MARIADB("org.mariadb.jdbc.Driver"),
    /** MariaDB by MySQL's driver. */
    MYSQL("com.mysql.cj.jdbc.Driver"),
    POSTGRESQL("org.postgresql.Driver");

    private final String driver;

    Server(String driver) {
        this.driver = driver;
    }

    String url() {
        return switch (this) {
            case H2 -> "jdbc:h2:mem:foreign;DB_CLOSE_DELAY=-1";
            case H2_AS_MYSQL -> "jdbc:h2:mem:mysql;MODE=MySQL;DATABASE_TO_LOWER=TRUE;DB_CLOSE_DELAY=-1";
            case H2_AS_POSTGRESQL -> "jdbc:h2:mem:postgresql;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DB_CLOSE_DELAY=-1";
            case MARIADB -> Database.MARIADB.url();
            case MYSQL -> Database.mysqlDriversUrl();
            case POSTGRESQL -> Database.POSTGRESQL.url();
        };
    }

    boolean isMariaDb() {
        return this == MARIADB || this == MYSQL;
    }

    /** The DriverManager finds no driver behind one that cannot be made, as a library may bring it: so it has to be registered by its class. */
    Connection connect() throws SQLException {
        try {
            Class.forName(driver);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return DriverManager.getConnection(url());
    }
}
