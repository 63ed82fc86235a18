package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.IsolationSuite;
import io.github.collapseexecutor.http.fixture.RequestRulesSuite;
import io.github.collapseexecutor.http.fixture.ResponseRulesSuite;
import io.github.collapseexecutor.http.fixture.TestClient;
import org.junit.jupiter.api.Nested;

class OkHttpClientTests {

    @Nested
    class RequestRulesTests extends RequestRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return OkHttpClients.collapsing(http, core);
        }
    }

    @Nested
    class ResponseRulesTests extends ResponseRulesSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return OkHttpClients.collapsing(http, core);
        }
    }

    @Nested
    class IsolationTests extends IsolationSuite {
        @Override
        protected TestClient client(HttpCollapseOptions http, CollapseOptions core) {
            return OkHttpClients.collapsing(http, core);
        }
    }
}
