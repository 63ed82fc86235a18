package io.github.collapseexecutor.http.servlet.mvc;

/** The makes of servers. */
enum Make {
    /** Embedded in the Spring Boot application. */
    TOMCAT(20),
    /** The Spring Boot application is deployed into it. */
    JETTY(8),
    /** The Spring Boot application is deployed into it. */
    UNDERTOW(8);

    /** Whether every server and mode is run, as profile {@code proofs} does on each Boot line, and not only those that differ most. */
    static final boolean EVERY_SETTING = Boolean.getBoolean("http.every.setting");

    private static final int MOST_CLIENTS = 20;

    // immutable
    private final int clients;

    Make(int clients) {
        this.clients = clients;
    }

    /** How many clients ask at once. */
    int clients() {
        return EVERY_SETTING ? MOST_CLIENTS : clients;
    }
}
