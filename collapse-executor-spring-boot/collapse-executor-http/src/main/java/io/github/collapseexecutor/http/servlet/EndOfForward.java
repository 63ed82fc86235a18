package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletResponse;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Proxy;

/**
 * Tells whether a container asks for the body of a response to end a forward.
 *
 * <p>It closes what the handler has opened. To find out which of both that is, it asks for the one, and for the other if that is refused: Tomcat and
 * Undertow for the writer first, Jetty for the stream. A handler that asks for both may have a filter in front that allows it, which nobody knows
 * before that filter is asked.
 */
final class EndOfForward {

    private static final StackWalker FRAMES = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private EndOfForward() {}

    /** Whether a container's dispatcher asks, and no handler. */
    static boolean asks() {
        return FRAMES.walk(frames -> frames.map(StackFrame::getDeclaringClass)
                .filter(type -> !isOnTheWay(type))
                .findFirst()
                .filter(RequestDispatcher.class::isAssignableFrom)
                .isPresent());
    }

    /** Ours, and responses that wrap, of whatever class. */
    private static boolean isOnTheWay(Class<?> type) {
        return ServletResponse.class.isAssignableFrom(type)
                || type.getPackage() == EndOfForward.class.getPackage()
                || Proxy.isProxyClass(type);
    }
}
