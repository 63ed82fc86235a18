package io.github.collapseexecutor.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Statements that keep the rows of a batch when that was executed, and set these instead of the one that is executed next, as those of jOOQ's parser do. */
final class BatchKeepingDataSource extends DelegatingDataSource {

    BatchKeepingDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection target = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof PreparedStatement prepared ? keeping(prepared) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private PreparedStatement keeping(PreparedStatement target) {
        Map<Integer, Object> row = new TreeMap<>();
        List<Map<Integer, Object>> batch = new ArrayList<>();
        return (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "setObject" -> {
                            row.put((Integer) arguments[0], arguments[1]);
                            return null;
                        }
                        case "clearParameters" -> {
                            row.clear();
                            return null;
                        }
                        case "addBatch" -> {
                            batch.add(Map.copyOf(row));
                            return null;
                        }
                        case "clearBatch" -> batch.clear();
                        case "executeBatch" -> {
                            for (Map<Integer, Object> each : batch) {
                                set(target, each);
                                target.addBatch();
                            }
                        }
                        case "execute" -> set(target, batch.isEmpty() ? row : batch.get(batch.size() - 1));
                        default -> {}
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void set(PreparedStatement target, Map<Integer, Object> row) throws SQLException {
        for (Map.Entry<Integer, Object> value : row.entrySet()) {
            target.setObject(value.getKey(), value.getValue());
        }
    }
}
