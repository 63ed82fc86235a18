package io.github.collapseexecutor.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts what goes over the wire: each execution of a statement, each commit and each rollback. */
final class CountingDataSource extends DelegatingDataSource {

    final AtomicInteger roundTrips = new AtomicInteger();

    CountingDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return counting(Connection.class, super.getConnection());
    }

    private <T> T counting(Class<T> type, T object) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().matches("execute.*|commit|rollback|setAutoCommit")) {
                        roundTrips.incrementAndGet();
                    }
                    Object result = invoke(object, method, arguments);
                    return result instanceof PreparedStatement statement
                            ? counting(PreparedStatement.class, statement)
                            : result;
                }));
    }

    private static Object invoke(Object object, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
