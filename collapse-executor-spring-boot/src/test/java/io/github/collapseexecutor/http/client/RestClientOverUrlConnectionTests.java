package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.DifferentialSuite;
import io.github.collapseexecutor.http.fixture.IsolationSuite;
import io.github.collapseexecutor.http.fixture.RequestRulesSuite;
import io.github.collapseexecutor.http.fixture.ResponseRulesSuite;
import io.github.collapseexecutor.http.fixture.TestClient;
import io.github.collapseexecutor.http.fixture.WaitingRulesSuite;
import org.junit.jupiter.api.Nested;

class RestClientOverUrlConnectionTests {

    @Nested
    class RequestRulesTests extends RequestRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return SpringClients.restClient(SpringClients.URL_CONNECTION, http, core);
        }
    }

    @Nested
    class ResponseRulesTests extends ResponseRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return SpringClients.restClient(SpringClients.URL_CONNECTION, http, core);
        }
    }

    @Nested
    class WaitingRulesTests extends WaitingRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return SpringClients.restClient(SpringClients.URL_CONNECTION, http, core);
        }
    }

    @Nested
    class IsolationTests extends IsolationSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return SpringClients.restClient(SpringClients.URL_CONNECTION, http, core);
        }
    }

    @Nested
    class DifferentialTests extends DifferentialSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return SpringClients.restClient(SpringClients.URL_CONNECTION, http, core);
        }
    }
}
