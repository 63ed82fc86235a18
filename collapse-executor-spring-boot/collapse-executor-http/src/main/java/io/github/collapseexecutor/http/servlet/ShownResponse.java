package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * The captured response as a handler gets it.
 *
 * <p>Tomcat 11 ends the container's own response after a forward, as soon as it finds it behind wrappers. Bytes that are still held back could not
 * reach the client then. So on Tomcat 11, which brings Servlet 6.1, a handler gets an object that passes every call on to the captured
 * response, but is no wrapper: then Tomcat closes the response that it was given, as the Servlet specification says. With filters in front, which
 * look for their own wrappers when a handler that went on asynchronously is dispatched, the request goes on with the captured response itself.
 */
final class ShownResponse {

    private ShownResponse() {}

    /** Passes each call on. */
    private record Hiding(HttpServletResponse hidden) implements InvocationHandler {

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(hidden, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }
    }

    /** Returns what a handler gets of a captured response, or of one that wraps it. */
    static HttpServletResponse of(HttpServletResponse captured) {
        return isHidden(captured)
                ? (HttpServletResponse) Proxy.newProxyInstance(
                        ShownResponse.class.getClassLoader(),
                        new Class<?>[] {HttpServletResponse.class},
                        new Hiding(captured))
                : captured;
    }

    /** Whether the container ends its own response behind a forward, which is hidden from it therefore. */
    static boolean isHidden(HttpServletResponse response) {
        return Servlet61.isThere() && MadeBy.TOMCAT.isBelow(response);
    }

    /** Returns the response with which a request goes on: what a handler got, or wraps, is not hidden any more. */
    static ServletResponse asWrapper(ServletResponse response) {
        if (response instanceof ServletResponseWrapper wrapper) {
            ServletResponse wrapped = wrapper.getResponse();
            ServletResponse shown = asWrapper(wrapped);
            if (shown != wrapped) {
                wrapper.setResponse(shown);
            }
            return wrapper;
        }
        return Proxy.isProxyClass(response.getClass()) && Proxy.getInvocationHandler(response) instanceof Hiding hiding
                ? hiding.hidden()
                : response;
    }
}
