package io.github.collapseexecutor.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Gives a new connection each time, and has a fault happen once: at a step, which is a statement that is executed, or a commit. */
final class FaultyDataSource extends AbstractDataSource {

    /** Makes a connection. */
    interface Opening {
        Connection open() throws SQLException;
    }

    // immutable
    private final Opening opening;
    private final Runnable fault;
    private final Runnable rollback;

    // mutable, thread-safe
    private final AtomicInteger stepsLeft;

    /**
     * Takes what it gives, and when.
     *
     * @param steps how many steps come before the fault
     * @param fault what is called before a step, once
     * @param rollback what is called before each rollback
     */
    FaultyDataSource(Opening opening, int steps, Runnable fault, Runnable rollback) {
        this.opening = opening;
        this.stepsLeft = new AtomicInteger(steps);
        this.fault = fault;
        this.rollback = rollback;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return watched(Connection.class, opening.open());
    }

    @Override
    public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException("The URL names the user");
    }

    private <T> T watched(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    if (name.equals("rollback")) {
                        rollback.run();
                    }
                    boolean isStep = name.startsWith("execute")
                            || name.equals("commit")
                            || (name.equals("setAutoCommit") && arguments[0].equals(true));
                    if (isStep && stepsLeft.getAndDecrement() == 0) {
                        fault.run();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof PreparedStatement statement
                                ? watched(PreparedStatement.class, statement)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
