package io.github.collapseexecutor.http.servlet.mvc;

/** The makes of servers. */
enum Make {
    /** Embedded in the Spring Boot application. */
    TOMCAT,
    /** The Spring Boot application is deployed into it. */
    JETTY,
    /** The Spring Boot application is deployed into it. */
    UNDERTOW;

    /** Whether every server and mode is run, as profile {@code proofs} does on each Boot line, and not only those that differ most. */
    static final boolean EVERY_SETTING = Boolean.getBoolean("http.every.setting");

    /** How many clients ask at once. */
    static final int CLIENTS = EVERY_SETTING ? 20 : 8;
}
