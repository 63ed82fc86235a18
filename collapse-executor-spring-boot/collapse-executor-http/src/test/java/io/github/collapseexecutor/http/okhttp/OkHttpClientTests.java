package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

@OnEachJdk
class OkHttpClientTests extends HttpRulesSuite {

    OkHttpClientTests() {
        super(HttpAdapter.ofBlockingClient(OkHttpClients::collapsing));
    }
}
