package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class RestTemplateOverUrlConnectionTests extends HttpRulesSuite {

    RestTemplateOverUrlConnectionTests() {
        super(HttpAdapter.ofBlockingClient(
                (http, core) -> SpringClients.restTemplate(SpringClients.URL_CONNECTION, http, core)));
    }
}
