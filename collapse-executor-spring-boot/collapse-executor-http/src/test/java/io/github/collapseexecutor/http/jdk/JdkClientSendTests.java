package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;

@OnEachJdk
class JdkClientSendTests extends HttpRulesSuite {

    JdkClientSendTests() {
        super(HttpAdapter.ofReactiveClient(JdkClients::sending));
    }
}
