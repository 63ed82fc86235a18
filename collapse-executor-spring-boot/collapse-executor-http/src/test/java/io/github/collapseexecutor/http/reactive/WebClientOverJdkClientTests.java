package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class WebClientOverJdkClientTests extends HttpRulesSuite {

    WebClientOverJdkClientTests() {
        super(HttpAdapter.ofReactiveClient(
                (http, core) -> ReactiveClients.withFilter(ReactiveClients.JDK_CLIENT, http, core)));
    }
}
