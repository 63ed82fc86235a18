package io.github.collapseexecutor.sample.groupcommit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Counts connections that are taken and what is sent over them, and has commits wait for the {@link SlowDisk}; a write outside of a
 * transaction is a commit, too, and so is switching automatic commit on in the middle of one.
 */
final class CountingDataSource extends DelegatingDataSource {

    // immutable
    private final StatementCounts counts;
    private final SlowDisk slowDisk;

    CountingDataSource(DataSource target, StatementCounts counts, SlowDisk slowDisk) {
        super(target);
        this.counts = counts;
        this.slowDisk = slowDisk;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        counts.connection();
        AtomicBoolean open = new AtomicBoolean(); // whether a transaction has something to commit
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean commits = method.getName().equals("commit")
                            || (method.getName().equals("setAutoCommit") && Boolean.TRUE.equals(arguments[0]));
                    if (commits && open.getAndSet(false)) {
                        commit();
                    } else if (method.getName().equals("rollback") && arguments == null) {
                        open.set(false);
                    }
                    Object result = invoke(connection, method, arguments);
                    return result instanceof PreparedStatement statement
                            ? counting(connection, statement, open)
                            : result;
                });
    }

    private Object counting(Connection connection, PreparedStatement statement, AtomicBoolean open) {
        return Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        counts.statement();
                        if (!connection.getAutoCommit()) {
                            open.set(true);
                        } else if (!method.getName().equals("executeQuery")) {
                            commit();
                        }
                    }
                    return invoke(statement, method, arguments);
                });
    }

    private void commit() throws SQLException {
        counts.commit();
        slowDisk.sync();
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
