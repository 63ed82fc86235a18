package io.github.collapseexecutor.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** MariaDB under another product's name. */
final class RenamedDatabase extends DelegatingDataSource {

    private final String product;

    RenamedDatabase(String product) {
        super(SharedPools.of(Database.MARIADB));
        this.product = product;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        DatabaseMetaData metaData = (DatabaseMetaData) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DatabaseMetaData.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getDatabaseProductName")) {
                        return product;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getMetaData") ? metaData : method.invoke(connection, arguments));
    }
}
