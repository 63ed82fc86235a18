package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.ServletServer;
import io.github.collapseexecutor.http.webflux.ReactiveServer;

/** The servers of the lab. */
enum LabMake {
    TOMCAT,
    JETTY,
    UNDERTOW,
    REACTIVE_NETTY,
    REACTIVE_TOMCAT;

    boolean isReactive() {
        return name().startsWith("REACTIVE_");
    }

    LabServer start() {
        return switch (this) {
            case TOMCAT -> new ServletLab(ServletServer.Make.TOMCAT);
            case JETTY -> new ServletLab(ServletServer.Make.JETTY);
            case UNDERTOW -> new ServletLab(ServletServer.Make.UNDERTOW);
            case REACTIVE_NETTY -> new ReactiveLab(ReactiveServer.Make.NETTY);
            case REACTIVE_TOMCAT -> new ReactiveLab(ReactiveServer.Make.TOMCAT);
        };
    }
}
