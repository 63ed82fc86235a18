package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** The longest that the database may be silent on a connection, where nobody else has set one. */
final class NetworkTimeout {

    // immutable
    private final int milliseconds;
    private final SilenceWatch watch;

    /** @param timeout zero for none */
    NetworkTimeout(Duration timeout) {
        milliseconds = timeout.isZero() ? 0 : (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
        watch = new SilenceWatch(timeout);
    }

    /** Sets it, unless the connection has one or its driver knows none; says whether it is to be unset. */
    boolean set(Connection connection) {
        try {
            if (milliseconds == 0 || connection.getNetworkTimeout() != 0) {
                return false;
            }
            connection.setNetworkTimeout(Runnable::run, milliseconds);
            return true;
        } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
            return false; // a lost connection shows with the next step
        }
    }

    static void unset(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, 0);
    }

    /** Watches the steps of an attempt over a connection. */
    SilenceWatch.Watched watch(Connection connection) {
        return watch.watch(connection);
    }
}
