package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import org.junit.jupiter.api.Nested;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

class CollapseExchangeFilterFunctionTests extends ReactiveAdapterSuite {

    @Override
    WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
        return WebClient.builder()
                .clientConnector(transport)
                .filter(new CollapseExchangeFilterFunction(http, core))
                .build();
    }

    @Nested
    class TransportTests extends ReactiveTransportSuite {
        @Override
        WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
            return CollapseExchangeFilterFunctionTests.this.clientOver(transport, http, core);
        }
    }

    @Nested
    class UnreadResponseTests extends UnreadResponseSuite {
        @Override
        WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
            return CollapseExchangeFilterFunctionTests.this.clientOver(transport, http, core);
        }
    }
}
