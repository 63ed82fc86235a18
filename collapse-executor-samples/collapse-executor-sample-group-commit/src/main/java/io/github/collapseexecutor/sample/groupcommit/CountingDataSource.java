package io.github.collapseexecutor.sample.groupcommit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts what is sent over its connections; a write outside of a transaction is a commit, too. */
final class CountingDataSource extends DelegatingDataSource {

    // immutable
    private final StatementCounts counts;

    CountingDataSource(DataSource target, StatementCounts counts) {
        super(target);
        this.counts = counts;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        counts.commit();
                    }
                    Object result = invoke(connection, method, arguments);
                    return result instanceof PreparedStatement statement ? counting(connection, statement) : result;
                });
    }

    private Object counting(Connection connection, PreparedStatement statement) {
        return Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        counts.statement();
                        if (connection.getAutoCommit() && !method.getName().equals("executeQuery")) {
                            counts.commit();
                        }
                    }
                    return invoke(statement, method, arguments);
                });
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
