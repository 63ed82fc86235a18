package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class RestClientOverUrlConnectionTests extends HttpRulesSuite {

    RestClientOverUrlConnectionTests() {
        super(HttpAdapter.ofBlockingClient(
                (http, core) -> SpringClients.restClient(SpringClients.URL_CONNECTION, http, core)));
    }
}
