package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules, on Tomcat. */
@OnEachJdk
class TomcatRulesTests extends HttpRulesSuite {

    private static Gateway gateway;

    @BeforeAll
    static void start() {
        gateway = Gateway.on(ServletServer.Make.TOMCAT, FollowerWaiting.ASYNC);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    TomcatRulesTests() {
        super(HttpAdapter.ofServer((http, core) -> gateway.client(http, core)));
    }
}
