package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class RestTemplateByFactoryOverUrlConnectionTests extends HttpRulesSuite {

    RestTemplateByFactoryOverUrlConnectionTests() {
        super(HttpAdapter.ofBlockingClient(
                (http, core) -> SpringClients.restTemplateByFactory(SpringClients.URL_CONNECTION, http, core)));
    }
}
