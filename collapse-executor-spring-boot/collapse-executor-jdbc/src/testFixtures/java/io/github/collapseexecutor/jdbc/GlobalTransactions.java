package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source of JTA. While the calling thread is in a transaction, all its connections are one, which is part of that transaction; such a
 * connection refuses to be committed.
 *
 * <p>Atomikos 6 says of it that it commits by itself until it has executed a statement, Narayana 7 and Tomcat's pool say so all the time on
 * MariaDB; Agroal 3 says that it does not.
 */
final class GlobalTransactions extends DelegatingDataSource {

    // immutable
    private final boolean saysThatItCommits;
    private final Map<Thread, Connection> transactions = new ConcurrentHashMap<>();

    /** @param saysThatItCommits of a connection in a transaction */
    GlobalTransactions(DataSource target, boolean saysThatItCommits) {
        super(target);
        this.saysThatItCommits = saysThatItCommits;
    }

    void begin() throws SQLException {
        Connection connection = super.getConnection();
        connection.setAutoCommit(false);
        transactions.put(Thread.currentThread(), connection);
    }

    void rollback() throws SQLException {
        try (Connection connection = requireNonNull(transactions.remove(Thread.currentThread()))) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection enlisted = transactions.get(Thread.currentThread());
        return enlisted == null ? super.getConnection() : handle(enlisted);
    }

    private Connection handle(Connection enlisted) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getAutoCommit" -> saysThatItCommits;
                    case "setAutoCommit", "close" -> null;
                    case "commit", "rollback" ->
                        throw new SQLException("Cannot " + method.getName() + " within a global transaction");
                    default -> {
                        try {
                            yield method.invoke(enlisted, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }
                });
    }
}
