package io.github.collapseexecutor.http.feign;

import io.github.collapseexecutor.http.fixture.DifferentialSuite;
import io.github.collapseexecutor.http.fixture.DryRunSuite;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.IsolationSuite;
import io.github.collapseexecutor.http.fixture.RequestRulesSuite;
import io.github.collapseexecutor.http.fixture.ResponseRulesSuite;
import io.github.collapseexecutor.http.fixture.WaitingRulesSuite;
import org.junit.jupiter.api.Nested;

class FeignClientTests {

    private static final HttpAdapter ADAPTER = HttpAdapter.ofBlockingClient(FeignClients::collapsing);

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
