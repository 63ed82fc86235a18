package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Proxy;
import java.util.Iterator;

/**
 * Tells by the stack whether a container begins or ends a forward.
 *
 * <p>At its end, a container closes what the handler has opened. To find out which of both that is, it asks for the one, and for the other if that
 * is refused: Tomcat and Undertow for the writer first, Jetty for the stream. A handler that asks for both may have a filter in front that allows
 * it, which nobody knows before that filter is asked.
 *
 * <p>At its beginning, Tomcat and Undertow clear the buffer of the response that they are given, and Jetty that of its own, past all that wrap it:
 * it only looks for its own request behind those that wrap that one.
 */
final class ContainerForward {

    private static final StackWalker FRAMES = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private ContainerForward() {}

    /** Whether a container's dispatcher looks for its own request as it begins to forward, itself or by one other class, and no handler. */
    static boolean begins() {
        return FRAMES.walk(frames -> {
            Iterator<StackFrame> callers = frames.filter(
                            frame -> !isOnTheWay(frame.getDeclaringClass(), ServletRequest.class))
                    .iterator();
            Class<?> helper = null;
            while (callers.hasNext()) {
                StackFrame caller = callers.next();
                Class<?> type = caller.getDeclaringClass();
                if (RequestDispatcher.class.isAssignableFrom(type)) {
                    return caller.getMethodName().equals("forward");
                }
                if (helper != null && helper != type) {
                    return false;
                }
                helper = type;
            }
            return false;
        });
    }

    /** Whether a container's dispatcher asks for the body of a response, and no handler. */
    static boolean ends() {
        return FRAMES.walk(frames -> frames.map(StackFrame::getDeclaringClass)
                .filter(type -> !isOnTheWay(type, ServletResponse.class))
                .findFirst()
                .filter(RequestDispatcher.class::isAssignableFrom)
                .isPresent());
    }

    /** Ours, and requests or responses that wrap, of whatever class. */
    private static boolean isOnTheWay(Class<?> type, Class<?> wrapped) {
        return wrapped.isAssignableFrom(type)
                || type.getPackage() == ContainerForward.class.getPackage()
                || Proxy.isProxyClass(type);
    }
}
