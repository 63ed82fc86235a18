package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/** What happens to a batch of the matrix while it is written. */
enum MatrixFault {
    /** The connection is cut before the database gets the step. */
    CUT_BEFORE,
    /** The database acts, and the connection is cut before its answer comes. */
    CUT_AFTER,
    /** Nothing passes any more, and nothing breaks. */
    STALL,
    /** A row in the middle of the batch waits for a lock of somebody else, until the database refuses its statement; then the lock is released. */
    REFUSED,
    /** The same, and the lock stays. */
    REFUSED_ALWAYS;

    /** Those that a database can be made to have; H2 has no network. */
    static List<MatrixFault> of(Database database) {
        return Arrays.stream(values())
                .filter(fault -> database != Database.H2 || fault.isRefusal())
                .toList();
    }

    boolean isRefusal() {
        return this == REFUSED || this == REFUSED_ALWAYS;
    }

    /** Has a session be refused a lock after a moment. */
    static void waitForLocksBriefly(Database database, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    switch (database) {
                        case MARIADB -> "SET innodb_lock_wait_timeout = 0";
                        case POSTGRESQL -> "SET lock_timeout = 20";
                        case H2 -> "SET LOCK_TIMEOUT 20";
                    });
        }
    }
}
