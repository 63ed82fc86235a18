package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.IsolationSuite;
import io.github.collapseexecutor.http.fixture.RequestRulesSuite;
import io.github.collapseexecutor.http.fixture.ResponseRulesSuite;
import io.github.collapseexecutor.http.fixture.TestClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The rules, on Tomcat. */
class TomcatRulesTests {

    private static Gateway gateway;

    @BeforeAll
    static void start() {
        gateway = Gateway.on(ServletServer.Make.TOMCAT);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Nested
    class RequestRulesTests extends RequestRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return gateway.client(http, core);
        }
    }

    @Nested
    class ResponseRulesTests extends ResponseRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return gateway.client(http, core);
        }
    }

    @Nested
    class IsolationTests extends IsolationSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return gateway.client(http, core);
        }
    }
}
