package io.github.collapseexecutor.jdbc;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Gives new connections that lack one method of JDBC, fail in it, or answer it with nothing. */
final class OneMethodReplaced extends AbstractDataSource {

    /** What the method does instead. */
    enum Way {
        REFUSED {
            @Override
            @Nullable Object call(Method method, Own own) throws Throwable {
                throw new SQLFeatureNotSupportedException(method.getName());
            }
        },
        UNDECLARED {
            @Override
            @Nullable Object call(Method method, Own own) throws Throwable {
                throw new UnsupportedOperationException(method.getName());
            }
        },
        /** As that of a driver that is older than the API. */
        MISSING {
            @Override
            @Nullable Object call(Method method, Own own) throws Throwable {
                throw new AbstractMethodError(method.getName());
            }
        },
        FAILS_BEHIND {
            @Override
            @Nullable Object call(Method method, Own own) throws Throwable {
                own.call();
                throw new SQLException(method.getName(), "99999");
            }
        },
        TELLS_NOTHING {
            @Override
            @Nullable Object call(Method method, Own own) throws Throwable {
                own.call();
                Class<?> type = method.getReturnType();
                if (type.isArray()) {
                    return Array.newInstance(type.getComponentType(), 0);
                }
                return type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0) : null;
            }
        };

        abstract @Nullable Object call(Method method, Own own) throws Throwable;
    }

    /** What the method does itself. */
    interface Own {

        @Nullable Object call() throws Throwable;
    }

    private static final List<Class<?>> TYPES = List.of(
            Connection.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            ResultSetMetaData.class,
            ParameterMetaData.class);

    /** Ways to execute a statement and to learn of its count: by hand and by the library, it may be another one. */
    private static final Set<String> EXECUTES = Set.of("execute", "executeUpdate", "getUpdateCount");

    // immutable
    private final Database database;
    private final String replaced;
    private final Way way;

    // mutable, thread-safe
    private final Set<String> called = new ConcurrentSkipListSet<>();
    private final ConcurrentLinkedQueue<Connection> opened = new ConcurrentLinkedQueue<>();

    /**
     * Takes what to replace.
     *
     * @param replaced the simple name of its type and its name, as {@link #called()} has it
     */
    OneMethodReplaced(Database database, String replaced, Way way) {
        this.database = database;
        this.replaced = replaced;
        this.way = way;
    }

    /** The methods that have been called. */
    Set<String> called() {
        return called;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = DriverManager.getConnection(database.url());
        opened.add(connection);
        return watched(Connection.class, connection);
    }

    @Override
    public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException("The URL names the user");
    }

    private <T> T watched(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String name = EXECUTES.contains(method.getName()) ? "execute" : method.getName();
                    String full = type.getSimpleName() + "." + name;
                    called.add(full);
                    Own own = () -> result(method, invoked(target, method, arguments));
                    return full.equals(replaced) ? way.call(method, own) : own.call();
                }));
    }

    private static @Nullable Object invoked(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private @Nullable Object result(Method method, @Nullable Object result) {
        return result != null && TYPES.contains(method.getReturnType())
                ? watched(method.getReturnType(), result)
                : result;
    }

    /** Closes what was opened, which a replaced method may have kept from being closed. */
    void closeAll() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
    }
}
