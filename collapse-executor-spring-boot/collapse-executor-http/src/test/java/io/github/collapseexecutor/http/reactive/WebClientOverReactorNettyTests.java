package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NettyLeaks.class)
class WebClientOverReactorNettyTests extends HttpRulesSuite {

    WebClientOverReactorNettyTests() {
        super(HttpAdapter.ofReactiveClient(
                (http, core) -> ReactiveClients.withFilter(ReactiveClients.REACTOR_NETTY, http, core)));
    }
}
