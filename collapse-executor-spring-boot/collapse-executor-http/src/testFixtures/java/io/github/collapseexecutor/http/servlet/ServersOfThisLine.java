package io.github.collapseexecutor.http.servlet;

import java.util.Set;

/**
 * The makes of server that the tests of a Spring Boot line start: all on the line that is compiled against. A newer line
 * brings another Tomcat and another Spring, but no other Jetty and no other Undertow.
 */
public final class ServersOfThisLine {

    private static final Set<String> NAMES =
            Set.of(System.getProperty("http.servers", "TOMCAT,JETTY,UNDERTOW").split(","));

    private ServersOfThisLine() {}

    /** Returns whether a make is started, by the name of its constant. */
    public static boolean include(Enum<?> make) {
        return NAMES.contains(make.name());
    }
}
