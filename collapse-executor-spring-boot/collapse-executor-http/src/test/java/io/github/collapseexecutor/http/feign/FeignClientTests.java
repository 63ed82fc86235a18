package io.github.collapseexecutor.http.feign;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

class FeignClientTests extends HttpRulesSuite {

    FeignClientTests() {
        super(HttpAdapter.ofBlockingClient(FeignClients::collapsing));
    }
}
