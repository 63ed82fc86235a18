package io.github.collapseexecutor.http.webflux;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerRequest;

/**
 * What a client has sent as the target of its request, which no filter and no forwarded header has changed.
 *
 * @param path the raw path; null if the server does not tell
 * @param hasEmptyQuery whether there is a query of no character, of which Spring's address does not tell on every server
 * @param localAddress where the server has the request; null if it does not tell
 * @param mayHideBody whether a body of unknown length may follow although no header says so, as over HTTP/2; Netty adds such a header
 */
record WireTarget(
        @Nullable String path,
        boolean hasEmptyQuery,
        @Nullable InetSocketAddress localAddress,
        boolean mayHideBody) {

    private static final WireTarget UNKNOWN = new WireTarget(null, false, null, true);

    private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, WireTarget.class.getClassLoader());
    }

    static WireTarget of(ServerHttpRequest request) {
        Object own;
        try {
            own = ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (RuntimeException hidden) {
            return UNKNOWN;
        }
        if (NETTY && Netty.isRequest(own)) {
            return Netty.target(own);
        }
        return SERVLET && Servlet.isRequest(own) ? Servlet.target(own) : UNKNOWN;
    }

    /** The path in the target of a request, which may be an absolute address (RFC 9112 section 3.2.2). */
    private static @Nullable String pathOf(String target) {
        if (target.startsWith("/")) {
            int query = target.indexOf('?');
            return query < 0 ? target : target.substring(0, query);
        }
        try {
            return URI.create(target).getRawPath();
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }

    /** A class of its own, so that the server is not missed. */
    private static final class Netty {

        private Netty() {}

        static boolean isRequest(Object request) {
            return request instanceof HttpServerRequest;
        }

        static WireTarget target(Object request) {
            HttpServerRequest own = (HttpServerRequest) request;
            return new WireTarget(pathOf(own.uri()), false, own.hostAddress(), false);
        }
    }

    /** A class of its own, so that the Servlet API is not missed. */
    private static final class Servlet {

        private Servlet() {}

        static boolean isRequest(Object request) {
            return request instanceof HttpServletRequest;
        }

        static WireTarget target(Object request) {
            HttpServletRequest own = (HttpServletRequest) request;
            return new WireTarget(
                    own.getRequestURI(),
                    "".equals(own.getQueryString()),
                    new InetSocketAddress(own.getLocalAddr(), own.getLocalPort()),
                    !own.getProtocol().startsWith("HTTP/1."));
        }
    }
}
