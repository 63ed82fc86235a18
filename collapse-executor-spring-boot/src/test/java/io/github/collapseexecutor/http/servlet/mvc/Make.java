package io.github.collapseexecutor.http.servlet.mvc;

/** The makes of servers. */
enum Make {
    /** Embedded in the Spring Boot application. */
    TOMCAT,
    /** The Spring Boot application is deployed into it. */
    JETTY,
    /** The Spring Boot application is deployed into it. */
    UNDERTOW
}
