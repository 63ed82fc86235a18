package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class RestClientByFactoryOverJdkClientTests extends HttpRulesSuite {

    RestClientByFactoryOverJdkClientTests() {
        super(HttpAdapter.ofBlockingClient(
                (http, core) -> SpringClients.restClientByFactory(SpringClients.JDK_CLIENT, http, core)));
    }
}
