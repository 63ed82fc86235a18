package io.github.collapseexecutor.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A statement as a parameter setter of the user's sees it: a parameter that can be read once is copied, and the copy is set,
 * in this attempt and in the next one, where the setter gives the same object again.
 */
final class CopyingStatement implements InvocationHandler {

    // immutable
    private final PreparedStatement target;
    private final PreparedStatement statement;

    // mutable, confined to the thread that writes the batch
    private @Nullable Row row;

    CopyingStatement(PreparedStatement target) {
        this.target = target;
        this.statement = (PreparedStatement) Proxy.newProxyInstance(
                CopyingStatement.class.getClassLoader(), new Class<?>[] {PreparedStatement.class}, this);
    }

    /** The statement, for the setter of a row. */
    PreparedStatement of(Row row) {
        this.row = row;
        return statement;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (arguments != null && arguments.length > 1 && method.getName().startsWith("set")) {
            arguments[1] = repeatable(arguments[1]);
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private @Nullable Object repeatable(@Nullable Object parameter) throws SQLException {
        if (row == null) {
            return parameter;
        }
        if (parameter == null || !ParameterCopy.isNeededOf(parameter)) {
            row.add(ParameterValues.sizeOf(parameter));
            return parameter;
        }
        ParameterCopy copy = row.copyOf(parameter);
        row.add(copy.size());
        return copy.again(target.getConnection());
    }
}
