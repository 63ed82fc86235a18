package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** The collapsing filter where reflection cannot read what stands behind it, as in a native image. */
final class UnreadClient implements ExchangeFilterFunction {

    // immutable
    private final FutureHttpCollapseExecutor executor;

    UnreadClient(HttpCollapseOptions http, CollapseOptions core) {
        executor = FutureHttpCollapseExecutor.ofClient(http, core);
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(context -> ReactiveExchange.execute(
                executor,
                new FilterExchange(request, next, ClientBehind.UNKNOWN, context),
                ClientResponse.class,
                false));
    }
}
