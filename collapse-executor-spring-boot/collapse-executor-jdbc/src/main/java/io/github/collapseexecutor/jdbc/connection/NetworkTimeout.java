package io.github.collapseexecutor.jdbc.connection;

import java.sql.Connection;
import java.time.Duration;

/**
 * The longest that the database may be silent on a connection, where nobody else has set one.
 * Public for other packages of the library only.
 */
public final class NetworkTimeout {

    // immutable
    private final int milliseconds;
    private final SilenceWatch watch;

    /** @param timeout zero for none */
    public NetworkTimeout(Duration timeout) {
        milliseconds = timeout.isZero() ? 0 : (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
        watch = new SilenceWatch(timeout);
    }

    /** Bounds the silence on a connection, until that is closed which is returned: by the connection's own time-out if that is longer. */
    public Bound on(Connection connection) {
        int own = milliseconds == 0
                ? 0
                : Tried.answer(connection::getNetworkTimeout, -1); // a lost connection shows with the next step
        boolean isSet = milliseconds != 0
                && own == 0
                && Tried.done(() -> connection.setNetworkTimeout(Runnable::run, milliseconds));
        return new Bound(connection, isSet, watch.watch(connection, Duration.ofMillis(Math.max(0, own))));
    }

    /** A connection on which the silence is bounded. */
    public static final class Bound implements AutoCloseable {

        // immutable
        private final Connection connection;
        private final boolean isSet;
        private final SilenceWatch.Watched watched;

        private Bound(Connection connection, boolean isSet, SilenceWatch.Watched watched) {
            this.connection = connection;
            this.isSet = isSet;
            this.watched = watched;
        }

        /** To be told of each step. */
        public SilenceWatch.Watched watched() {
            return watched;
        }

        /** Leaves the connection as it was; one that cannot be left so is aborted. */
        @Override
        public void close() {
            watched.close();
            if (isSet && !Tried.done(() -> connection.setNetworkTimeout(Runnable::run, 0))) {
                BatchConnections.abort(connection);
            }
        }
    }
}
