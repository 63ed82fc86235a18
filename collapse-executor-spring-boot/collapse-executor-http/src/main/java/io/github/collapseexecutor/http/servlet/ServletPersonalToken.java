package io.github.collapseexecutor.http.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A CSRF token of Spring Security as a handler gets it: the response of a handler that uses it is for the one client that has the same
 * token. It is a proxy, because this package does without Spring.
 */
record ServletPersonalToken(Object token, Runnable personal) implements InvocationHandler {

    private static final @Nullable Class<?> TOKEN = UserOfThread.typeOfSecurity("web.csrf.CsrfToken");

    /**
     * Returns the value of an attribute as a handler gets it.
     *
     * @param personal is told when a token is used
     */
    static @Nullable Object shown(@Nullable Object value, Runnable personal) {
        Class<?> type = TOKEN;
        return type == null || !type.isInstance(value) || value == null
                ? value
                : Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, new ServletPersonalToken(value, personal));
    }

    /** Returns the value that was shown, for the filters in front. */
    static @Nullable Object unwrapped(@Nullable Object shown) {
        return shown != null
                        && Proxy.isProxyClass(shown.getClass())
                        && Proxy.getInvocationHandler(shown) instanceof ServletPersonalToken own
                ? own.token
                : shown;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("equals") && arguments != null) {
            return token.equals(unwrapped(arguments[0]));
        }
        if (!method.getName().equals("hashCode")) {
            personal.run();
        }
        try {
            return method.invoke(token, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
