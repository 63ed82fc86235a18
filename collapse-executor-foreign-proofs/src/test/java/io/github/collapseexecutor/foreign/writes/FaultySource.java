package io.github.collapseexecutor.foreign.writes;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Connections of the driver, below all layers; a fault happens to one of them once. */
final class FaultySource extends AbstractDataSource {

    // immutable
    private final Server server;
    private final List<String> session;
    private final Fault fault;

    // mutable, thread-safe
    /** Not reached while it is negative. */
    private final AtomicInteger stepsLeft = new AtomicInteger(-1);

    FaultySource(Server server, List<String> session, Fault fault) {
        this.server = server;
        this.session = session;
        this.fault = fault;
    }

    /** Has the fault happen after so many steps. */
    void arm(int steps) {
        if (fault != Fault.NONE) {
            stepsLeft.set(steps);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = server.connect();
        try (Statement statement = connection.createStatement()) {
            for (String sql : session) {
                statement.execute(sql);
            }
        }
        return fault == Fault.NONE ? connection : watched(Connection.class, connection, connection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Pools set it; the driver answers at once here.
    }

    private <T> T watched(Class<T> type, T target, Connection connection) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, connection, method, arguments)));
    }

    private Object call(Object target, Connection connection, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        boolean isStep = name.startsWith("execute")
                || name.equals("commit")
                || (name.equals("setAutoCommit") && arguments[0].equals(true) && !connection.getAutoCommit());
        if (!isStep || stepsLeft.get() < 0 || stepsLeft.getAndDecrement() != 0) {
            return watchedResult(invoke(target, method, arguments), connection);
        }
        switch (fault) {
            case CUT_BEFORE -> {
                connection.abort(Runnable::run);
                throw new SQLNonTransientConnectionException("cut before", "08006");
            }
            case CUT_AFTER -> {
                invoke(target, method, arguments);
                connection.abort(Runnable::run);
                throw new SQLNonTransientConnectionException("cut behind", "08006");
            }
            case UNCHECKED_BEFORE -> throw new IllegalStateException("unchecked before");
            case UNCHECKED_AFTER -> {
                invoke(target, method, arguments);
                throw new IllegalStateException("unchecked behind");
            }
            case DEADLOCK -> {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                throw new SQLTransactionRollbackException("deadlock", "40001", 1213);
            }
            case TIMEOUT -> throw new SQLTimeoutException("took too long", "57014");
            default -> throw new IllegalStateException("There is no fault");
        }
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object watchedResult(Object result, Connection connection) {
        if (result instanceof CallableStatement statement) {
            return watched(CallableStatement.class, statement, connection);
        }
        if (result instanceof PreparedStatement statement) {
            return watched(PreparedStatement.class, statement, connection);
        }
        return result instanceof Statement statement ? watched(Statement.class, statement, connection) : result;
    }
}
