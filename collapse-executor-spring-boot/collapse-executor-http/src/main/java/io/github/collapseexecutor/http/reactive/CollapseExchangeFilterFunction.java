package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;

/**
 * Lets concurrent requests of a {@code WebClient} that ask for the same thing share one call.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
 * WebClient client = WebClient.builder()
 *         .filter(new CollapseExchangeFilterFunction(http, CollapseOptions.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>A GET or HEAD whose path belongs to a group is gathered with those that have the same key, one of them is sent, and each
 * receives a response of its own. Every other request, and a request that may not share the response, is sent as if this
 * filter were not there. A body that is shared is held in memory up to the limit; a larger one streams on to the leader.
 *
 * <p><b>Everything that tells users apart must be on the request when it gets here.</b> Add this filter as the last one:
 * {@code filters(list -> list.add(collapsing))}, after every customizer. If another filter stands behind it, if the client has
 * an {@code exchangeFunction(…)} that is not one of {@code ExchangeFunctions}, or if a request has an {@code httpRequest(…)}
 * callback, requests are not collapsed, and a warning says so once; a {@link CollapseClientHttpConnector} collapses such requests
 * too. <b>Neither of them sees credentials that the HTTP client
 * itself adds</b> (Reactor Netty: {@code doOnRequest}, or {@code headersWhen} with the Reactor context): these must be the
 * same for all callers of one client.
 *
 * <p>Give each {@code WebClient} an instance of its own, see {@link #forAnotherClient()}. Requests of different clients never
 * share a call even where several clients have the same instance: the filter tells clients apart by the function that sends
 * their requests. Only where reflection cannot read that function (native images) does it depend on an instance of its own.
 *
 * <p>Nothing happens until somebody subscribes, and every subscription is a new request, so that a {@code retry} is one. No
 * thread blocks. A subscriber that cancels affects no other; when the last one cancels, the exchange is cancelled. Each
 * subscriber keeps its own Reactor context; the exchange has that of the leader. A response is received on the thread that
 * received the shared one.
 */
public final class CollapseExchangeFilterFunction implements ExchangeFilterFunction {

    // immutable
    private final HttpCollapseOptions http;
    private final CollapseOptions core;
    private final FutureHttpCollapseExecutor executor;

    /**
     * Creates a filter with no request in flight.
     *
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseExchangeFilterFunction(HttpCollapseOptions http, CollapseOptions core) {
        this.http = http;
        this.core = core;
        this.executor = FutureHttpCollapseExecutor.ofClient(http, core);
    }

    /**
     * Creates a filter with the same options for another {@code WebClient}. It shares nothing with other instances, because the name that
     * this one shares by is that of its client.
     *
     * @return a filter with no request in flight, which shares nothing with this one
     */
    public CollapseExchangeFilterFunction forAnotherClient() {
        return forAnotherClient(null);
    }

    /**
     * Creates a filter with the same options for another {@code WebClient}, which shares responses with other instances by a name of its
     * own.
     *
     * @param instances the other instances, for example {@code cluster.http("orders")}; null if nothing is shared with them
     * @return a filter with no request in flight, which shares nothing with this one
     */
    public CollapseExchangeFilterFunction forAnotherClient(@Nullable OtherInstances instances) {
        return new CollapseExchangeFilterFunction(withInstances(instances), core);
    }

    /**
     * Creates a connector with the same options for another {@code WebClient}, to be used instead of a filter. It shares nothing with
     * other instances.
     *
     * @param connector the client's own connector
     * @return a connector with no request in flight, which shares nothing with this filter
     */
    public CollapseClientHttpConnector around(ClientHttpConnector connector) {
        return around(connector, null);
    }

    /**
     * Creates a connector as {@link #around(ClientHttpConnector)} does, which shares responses with other instances by a name of its own.
     *
     * @param connector the client's own connector
     * @param instances the other instances, for example {@code cluster.http("orders")}; null if nothing is shared with them
     * @return a connector with no request in flight, which shares nothing with this filter
     */
    public CollapseClientHttpConnector around(ClientHttpConnector connector, @Nullable OtherInstances instances) {
        return new CollapseClientHttpConnector(connector, withInstances(instances), core);
    }

    private HttpCollapseOptions withInstances(@Nullable OtherInstances instances) {
        return http.toBuilder().otherInstances(instances).build();
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
        return Mono.deferContextual(context -> {
            FilterExchange exchange = new FilterExchange(request, next, ClientBehind.of(next), context);
            return ReactiveExchange.execute(executor, exchange, ClientResponse.class, core.contextCarrier() != null)
                    .onErrorMap(
                            failure -> failure instanceof WebClientRequestException || failure instanceof IOException,
                            exchange::ownFailure);
        });
    }
}
