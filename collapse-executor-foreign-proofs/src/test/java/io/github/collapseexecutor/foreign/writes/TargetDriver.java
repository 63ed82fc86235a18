package io.github.collapseexecutor.foreign.writes;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** For libraries that want a driver: its addresses stand for data sources. */
public final class TargetDriver implements Driver {

    private static final String PREFIX = "jdbc:foreign://localhost/";
    private static final Map<String, DataSource> TARGETS = new ConcurrentHashMap<>();

    static {
        try {
            DriverManager.registerDriver(new TargetDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The address of a data source, until that is closed which is returned. */
    static Address addressOf(DataSource target) {
        String url = PREFIX + System.identityHashCode(target) + "-" + System.nanoTime();
        TARGETS.put(url, target);
        return new Address(url);
    }

    record Address(String url) implements AutoCloseable {
        @Override
        public void close() {
            TARGETS.remove(url);
        }
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        DataSource target = TARGETS.get(url.replaceFirst("\\?.*", ""));
        return target == null ? null : target.getConnection();
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return true;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
