package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class RestTemplateOverJdkClientTests extends HttpRulesSuite {

    RestTemplateOverJdkClientTests() {
        super(HttpAdapter.ofBlockingClient(
                (http, core) -> SpringClients.restTemplate(SpringClients.JDK_CLIENT, http, core)));
    }
}
