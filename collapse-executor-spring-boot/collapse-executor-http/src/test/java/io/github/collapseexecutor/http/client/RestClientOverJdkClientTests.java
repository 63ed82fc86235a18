package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class RestClientOverJdkClientTests extends HttpRulesSuite {

    RestClientOverJdkClientTests() {
        super(HttpAdapter.ofBlockingClient(
                (http, core) -> SpringClients.restClient(SpringClients.JDK_CLIENT, http, core)));
    }
}
