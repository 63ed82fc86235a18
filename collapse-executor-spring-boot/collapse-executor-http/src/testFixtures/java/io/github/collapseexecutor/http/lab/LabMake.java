package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.ServletServer;
import io.github.collapseexecutor.http.webflux.ReactiveServer;

/** What the lab tries: servers, and clients over their transports. */
enum LabMake {
    TOMCAT(Side.SERVLET),
    JETTY(Side.SERVLET),
    UNDERTOW(Side.SERVLET),
    REACTIVE_NETTY(Side.REACTIVE),
    REACTIVE_TOMCAT(Side.REACTIVE),
    SPRING_OVER_URL_CONNECTION(Side.CLIENT),
    SPRING_OVER_JDK(Side.CLIENT),
    SPRING_OVER_APACHE(Side.CLIENT),
    SPRING_OVER_JETTY(Side.CLIENT),
    SPRING_OVER_NETTY(Side.CLIENT),
    WEB_CLIENT_OVER_NETTY(Side.CLIENT),
    WEB_CLIENT_OVER_JDK(Side.CLIENT),
    WEB_CLIENT_OVER_JETTY(Side.CLIENT),
    WEB_CLIENT_OVER_APACHE(Side.CLIENT),
    JDK_CLIENT(Side.CLIENT),
    OK_HTTP(Side.CLIENT),
    APACHE_CLIENT(Side.CLIENT),
    FEIGN(Side.CLIENT),
    SPRING_OVER_JDK_BY_HTTP2(Side.CLIENT),
    SPRING_OVER_NETTY_BY_HTTP2(Side.CLIENT),
    WEB_CLIENT_OVER_NETTY_BY_HTTP2(Side.CLIENT),
    WEB_CLIENT_OVER_JDK_BY_HTTP2(Side.CLIENT),
    JDK_CLIENT_BY_HTTP2(Side.CLIENT),
    OK_HTTP_BY_HTTP2(Side.CLIENT);

    /** Where the adapter stands, and which kinds of handlers there are. */
    enum Side {
        SERVLET,
        REACTIVE,
        CLIENT
    }

    // immutable
    private final Side side;

    LabMake(Side side) {
        this.side = side;
    }

    Side side() {
        return side;
    }

    boolean isReactive() {
        return side == Side.REACTIVE;
    }

    boolean isClient() {
        return side == Side.CLIENT;
    }

    /** Whether a body that others may share is read before its caller gets a response. */
    boolean readsBodiesFirst() {
        return isClient() && !name().startsWith("SPRING_") && !name().startsWith("WEB_CLIENT_");
    }

    boolean isHttp2() {
        return name().endsWith("_BY_HTTP2");
    }

    LabServer start() {
        return switch (this) {
            case TOMCAT -> new ServletLab(this, ServletServer.Make.TOMCAT);
            case JETTY -> new ServletLab(this, ServletServer.Make.JETTY);
            case UNDERTOW -> new ServletLab(this, ServletServer.Make.UNDERTOW);
            case REACTIVE_NETTY -> new ReactiveLab(this, ReactiveServer.Make.NETTY);
            case REACTIVE_TOMCAT -> new ReactiveLab(this, ReactiveServer.Make.TOMCAT);
            default -> new ClientLab(this);
        };
    }
}
