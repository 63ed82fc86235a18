package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Lets concurrent requests of a {@code WebClient} that ask for the same thing share one call.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.builder()
 *         .groups(List.of(CollapseGroup.of(CollapsePolicy.strict(), "/user/*")))
 *         .build();
 * WebClient client = WebClient.builder()
 *         .filter(new CollapseExchangeFilterFunction(http, CollapseOptions.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>A GET or HEAD whose path belongs to a group is gathered with those that have the same key, one of them is sent, and each
 * receives a response of its own. Everything else, and whatever may not share the response, is sent as if this filter were
 * not there. A body that is shared is held in memory up to the limit; a larger one streams on to the request that was sent.
 *
 * <p>Filters before this one see every request; those after it see only the requests that are sent, and what they change goes
 * unnoticed. Whatever tells users apart has to be on the request when it gets here, so place this filter after those that
 * add credentials. Give each {@code WebClient} an instance of its own, unless their codecs and connectors are alike.
 *
 * <p>Nothing happens until somebody subscribes, and every subscription is a request anew, so that a {@code retry} is one. No
 * thread blocks. A subscriber that cancels affects no other; when the last one cancels, the exchange is cancelled. Each
 * subscriber keeps its own Reactor context; the exchange has that of the subscriber whose request is sent. A response is
 * received on the thread that received the shared one.
 */
public final class CollapseExchangeFilterFunction implements ExchangeFilterFunction {

    // immutable
    private final FutureHttpCollapseExecutor executor;

    /**
     * Creates a filter with no request in flight.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how requests are gathered
     */
    public CollapseExchangeFilterFunction(HttpCollapseOptions http, CollapseOptions core) {
        this.executor = FutureHttpCollapseExecutor.ofClient(http, core);
    }

    /**
     * Sends the request when it is subscribed to, or answers it with the response to another's.
     *
     * @param request the request
     * @param next sends the request
     * @return the response, for each subscriber; it fails as the exchange failed, with a
     *     {@link java.util.concurrent.TimeoutException} if {@code callTimeout} has passed, or {@code followerTimeout} and it
     *     is to fail then, and with a {@link java.util.concurrent.RejectedExecutionException} if {@code maxPending} requests
     *     are waiting already
     */
    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(
                context -> Mono.fromFuture(executor.execute(new ReactiveExchange(request, next, context)))
                        .doOnDiscard(ClientResponse.class, ReactiveExchange::release));
    }
}
