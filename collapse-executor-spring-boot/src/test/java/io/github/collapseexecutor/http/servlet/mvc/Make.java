package io.github.collapseexecutor.http.servlet.mvc;

/** The makes of servers. */
enum Make {
    /** Embedded in the Spring Boot application. */
    TOMCAT(20),
    /** The Spring Boot application is deployed into it. */
    JETTY(8),
    /** The Spring Boot application is deployed into it. */
    UNDERTOW(8);

    // immutable
    private final int clients;

    Make(int clients) {
        this.clients = clients;
    }

    /** How many clients ask at once. */
    int clients() {
        return clients;
    }
}
