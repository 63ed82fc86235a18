package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules, on Tomcat's reactive server. */
class TomcatWebFilterTests extends HttpRulesSuite {

    private static ReactiveGateway gateway;

    @BeforeAll
    static void start() {
        gateway = ReactiveGateway.on(ReactiveServer.Make.TOMCAT);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    TomcatWebFilterTests() {
        super(HttpAdapter.ofServer((http, core) -> gateway.client(http, core)));
    }
}
