package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A pool whose steps are noted, and at which a test may do something of its own, on the writing thread. */
final class WatchedDataSource implements DataSource, AutoCloseable {

    /** What a test does at a step. */
    interface Hook {

        void at(String step) throws SQLException;
    }

    // immutable
    private final HikariDataSource pool;
    private final List<String> steps = new CopyOnWriteArrayList<>();

    // mutable; set by the test
    volatile Hook before = step -> {};
    volatile Hook after = step -> {};

    WatchedDataSource(HikariDataSource pool) {
        this.pool = pool;
    }

    /** The steps so far that have one of the given names. */
    List<String> steps(String... names) {
        Set<String> wanted = Set.of(names);
        return steps.stream().filter(wanted::contains).toList();
    }

    @Override
    public Connection getConnection() throws SQLException {
        note("getConnection", before);
        Connection connection = pool.getConnection();
        after.at("getConnection");
        return watched(Connection.class, connection, new AtomicBoolean());
    }

    private void note(String step, Hook hook) throws SQLException {
        steps.add(step);
        hook.at(step);
    }

    /** @param executed whether the transaction that is open has executed anything */
    private <T> T watched(Class<T> type, T target, AtomicBoolean executed) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            String name = method.getName();
            boolean switchedOn = name.equals("setAutoCommit") && arguments[0].equals(true);
            String step = switchedOn && executed.get() ? "commit" : name; // it commits what is open
            executed.set(step.startsWith("execute") || (executed.get() && !step.matches("commit|rollback")));
            note(step, before);
            Object result;
            try {
                result = method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            after.at(step);
            return result instanceof PreparedStatement statement
                    ? watched(PreparedStatement.class, statement, executed)
                    : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public void close() {
        pool.close();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return pool.isWrapperFor(type);
    }
}
