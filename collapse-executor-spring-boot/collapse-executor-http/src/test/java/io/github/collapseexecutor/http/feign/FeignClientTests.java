package io.github.collapseexecutor.http.feign;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

@OnEachJdk
class FeignClientTests extends HttpRulesSuite {

    FeignClientTests() {
        super(HttpAdapter.ofBlockingClient(FeignClients::collapsing));
    }
}
