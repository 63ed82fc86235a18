package org.apache.shardingsphere;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Gives connections that tell by the package of their metadata, as those of ShardingSphere do, that they may be several databases. */
public final class ShardedDataSource extends DelegatingDataSource {

    /** A proxy of it is in this package, because it is not public. */
    private interface ShardedMetaData extends DatabaseMetaData {}

    public ShardedDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            try {
                Object result = method.invoke(connection, arguments);
                return result instanceof DatabaseMetaData metaData ? sharded(metaData) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static DatabaseMetaData sharded(DatabaseMetaData metaData) {
        return proxy(ShardedMetaData.class, (proxy, method, arguments) -> {
            if (method.getName().equals("unwrap")) {
                return proxy;
            }
            try {
                return method.invoke(metaData, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ShardedDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
