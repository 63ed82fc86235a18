package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A pool whose steps are noted, and at which a test may do something of its own, on the writing thread. */
final class WatchedDataSource extends DelegatingDataSource implements AutoCloseable {

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
        super(pool);
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
        Connection connection = super.getConnection();
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
}
