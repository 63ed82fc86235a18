package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.DryRunSuite;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.IsolationSuite;
import io.github.collapseexecutor.http.fixture.ResponseRulesSuite;
import io.github.collapseexecutor.http.fixture.WaitingRulesSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * The rules, on Undertow. Two suites are missing: a handler is not told {@code /p?} from {@code /p} there, and followers of a handler
 * that throws get another error page (docs/servlet.md, Limits).
 */
@OnEachJdk
class UndertowRulesTests {

    private static Gateway gateway;

    @BeforeAll
    static void start() {
        gateway = Gateway.on(ServletServer.Make.UNDERTOW, FollowerWaiting.BLOCK);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static final HttpAdapter ADAPTER = HttpAdapter.ofServer((http, core) -> gateway.client(http, core));

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
}
