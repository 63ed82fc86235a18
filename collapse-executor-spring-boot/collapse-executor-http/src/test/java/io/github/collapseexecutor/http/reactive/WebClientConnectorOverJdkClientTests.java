package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class WebClientConnectorOverJdkClientTests extends HttpRulesSuite {

    WebClientConnectorOverJdkClientTests() {
        super(HttpAdapter.ofReactiveClient(
                (http, core) -> ReactiveClients.withConnector(ReactiveClients.JDK_CLIENT, http, core)));
    }
}
