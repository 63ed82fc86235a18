package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

@OnEachJdk
class ApacheClientTests extends HttpRulesSuite {

    ApacheClientTests() {
        super(HttpAdapter.ofBlockingClient(ApacheClients::collapsing));
    }
}
