package io.github.collapseexecutor.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import org.jspecify.annotations.Nullable;

/** A statement as a parameter setter of the user's sees it: it refuses a parameter that can be read once, and counts what the row takes to send. */
final class SetterStatement implements InvocationHandler {

    // immutable
    private final PreparedStatement target;
    private final PreparedStatement statement;

    // mutable, confined to the thread that writes the batch
    private @Nullable Row row;

    SetterStatement(PreparedStatement target) {
        this.target = target;
        this.statement = (PreparedStatement) Proxy.newProxyInstance(
                SetterStatement.class.getClassLoader(), new Class<?>[] {PreparedStatement.class}, this);
    }

    /** The statement, for the setter of a row. */
    PreparedStatement of(Row row) {
        this.row = row;
        return statement;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (row != null
                && arguments != null
                && arguments.length > 1
                && method.getName().startsWith("set")) {
            row.add(ParameterValues.sizeOf(ParameterValues.repeatable(arguments[0], arguments[1])));
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
