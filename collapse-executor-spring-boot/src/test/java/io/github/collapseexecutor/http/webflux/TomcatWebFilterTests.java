package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.fixture.DifferentialSuite;
import io.github.collapseexecutor.http.fixture.DryRunSuite;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.IsolationSuite;
import io.github.collapseexecutor.http.fixture.RequestRulesSuite;
import io.github.collapseexecutor.http.fixture.ResponseRulesSuite;
import io.github.collapseexecutor.http.fixture.WaitingRulesSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The rules, on Tomcat's reactive server. */
class TomcatWebFilterTests {

    private static ReactiveGateway gateway;

    @BeforeAll
    static void start() {
        gateway = ReactiveGateway.on(ReactiveServer.Make.TOMCAT);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static final HttpAdapter ADAPTER = HttpAdapter.ofServer((http, core) -> gateway.client(http, core));

    @Nested
    class RequestRulesTests extends RequestRulesSuite {
        RequestRulesTests() {
            super(ADAPTER);
        }
    }

    @Nested
    class ResponseRulesTests extends ResponseRulesSuite {
        ResponseRulesTests() {
            super(ADAPTER);
        }
    }

    @Nested
    class WaitingRulesTests extends WaitingRulesSuite {
        WaitingRulesTests() {
            super(ADAPTER);
        }
    }

    @Nested
    class DryRunTests extends DryRunSuite {
        DryRunTests() {
            super(ADAPTER);
        }
    }

    @Nested
    class IsolationTests extends IsolationSuite {
        IsolationTests() {
            super(ADAPTER);
        }
    }

    @Nested
    class DifferentialTests extends DifferentialSuite {
        DifferentialTests() {
            super(ADAPTER);
        }
    }
}
