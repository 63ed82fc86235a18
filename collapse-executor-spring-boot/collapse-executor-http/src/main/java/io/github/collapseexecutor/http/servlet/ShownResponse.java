package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The captured response as a handler gets it.
 *
 * <p>Tomcat 11 ends the container's own response after a forward, as soon as it finds it behind wrappers. Bytes that are still held back could not
 * reach the client then. So on Tomcat 11, which brings Servlet 6.1, a handler gets an object that passes every call on to the captured
 * response, but is no wrapper: then Tomcat closes the response that it was given, as the Servlet specification says.
 */
final class ShownResponse {

    private static final String TOMCAT = "org.apache.catalina.connector.";

    private ShownResponse() {}

    /** Returns what a handler gets. */
    static HttpServletResponse of(ServletCapturedResponse captured) {
        return Servlet61.isThere() && isOfTomcat(captured) ? noWrapper(captured) : captured;
    }

    private static boolean isOfTomcat(ServletResponse response) {
        ServletResponse wrapped = response;
        while (wrapped instanceof ServletResponseWrapper wrapper) {
            wrapped = wrapper.getResponse();
        }
        return wrapped.getClass().getName().startsWith(TOMCAT);
    }

    private static HttpServletResponse noWrapper(ServletCapturedResponse captured) {
        return (HttpServletResponse) Proxy.newProxyInstance(
                ShownResponse.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(captured, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
