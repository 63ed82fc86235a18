package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/** Which container an object is of, where containers differ. */
enum MadeBy {
    TOMCAT("org.apache.catalina.connector."),
    JETTY("org.eclipse.jetty."),
    UNDERTOW("io.undertow.");

    // immutable
    private final String packages;

    MadeBy(String packages) {
        this.packages = packages;
    }

    boolean isOf(@Nullable Object made) {
        return made != null && made.getClass().getName().startsWith(packages);
    }

    /** Whether the response is the container's below all that wrap it. */
    boolean isBelow(ServletResponse response) {
        ServletResponse wrapped = response;
        while (wrapped instanceof ServletResponseWrapper wrapper) {
            wrapped = wrapper.getResponse();
        }
        return isOf(wrapped);
    }
}
