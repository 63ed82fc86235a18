package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.fixture.HttpAdapter;
import io.github.collapseexecutor.http.fixture.HttpRulesSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules, on Reactor Netty. */
class NettyWebFilterTests extends HttpRulesSuite {

    private static ReactiveGateway gateway;

    @BeforeAll
    static void start() {
        gateway = ReactiveGateway.on(ReactiveServer.Make.NETTY);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    NettyWebFilterTests() {
        super(HttpAdapter.ofServer((http, core) -> gateway.client(http, core)));
    }
}
