package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NettyLeaks.class)
class WebClientConnectorOverReactorNettyTests extends HttpRulesSuite {

    WebClientConnectorOverReactorNettyTests() {
        super(HttpAdapter.ofReactiveClient(
                (http, core) -> ReactiveClients.withConnector(ReactiveClients.REACTOR_NETTY, http, core)));
    }
}
