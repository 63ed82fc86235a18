package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import java.net.URI;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Lets concurrent requests of a {@code WebClient} that ask for the same thing share one call, below its filters: the connector
 * of the client in another one.
 *
 * <pre>{@code
 * ClientHttpConnector own = new ReactorClientHttpConnector(httpClient);
 * WebClient client = WebClient.builder()
 *         .clientConnector(new CollapseClientHttpConnector(own, http, CollapseOptions.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>It decides as {@link CollapseExchangeFilterFunction} does, and sees each request as it is sent: after every filter, in
 * whatever order, and after {@code httpRequest(…)}. A request with a body, one that is written asynchronously, and one whose
 * {@code httpRequest(…)} callback calls {@code getNativeRequest()} are not collapsed. Each caller decodes with its own codecs,
 * and is observed for itself.
 *
 * <p><b>What the HTTP client adds below this connector, nobody sees</b> (Reactor Netty: {@code doOnRequest}, or
 * {@code headersWhen} with the Reactor context; cookie stores and authenticators): credentials there must be the same for all
 * callers of one client. An instance belongs to the one connector that it was made with, and requests of two instances never
 * share a call.
 *
 * <p>Of a GET or HEAD that belongs to a group, the headers are written once to a request that is not sent, to learn them. If
 * it turns out then that the request is not collapsed, because it has a body or asks for the native request, they are written
 * again; a body is subscribed to only once, when it is sent.
 *
 * <p>Nothing happens until somebody subscribes. No thread blocks. A subscriber that cancels affects no other; when the last
 * one cancels, the exchange is cancelled. The exchange has the Reactor context of the leader.
 */
public final class CollapseClientHttpConnector implements ClientHttpConnector {

    // immutable
    private final ClientHttpConnector connector;
    private final FutureHttpCollapseExecutor executor;
    private final boolean carriesContext;

    /**
     * Creates a connector with no request in flight.
     *
     * @param connector sends the requests; the connector of one client
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseClientHttpConnector(ClientHttpConnector connector, HttpCollapseOptions http, CollapseOptions core) {
        this.connector = Objects.requireNonNull(connector, "connector");
        this.executor = FutureHttpCollapseExecutor.ofClient(http, core);
        this.carriesContext = core.contextCarrier() != null;
    }

    /** What sends the requests. */
    ClientHttpConnector transport() {
        return connector;
    }

    /**
     * Sends the request when it is subscribed to, or answers it with the response to another's.
     *
     * @param method the method
     * @param uri the address
     * @param requestCallback writes headers and body; run once, or twice as described above
     * @return the response, for each subscriber; it fails as the exchange failed, with a
     *     {@link java.util.concurrent.TimeoutException} if {@code callTimeout} has passed, or {@code followerTimeout} and it
     *     is to fail then, and with a {@link java.util.concurrent.RejectedExecutionException} if {@code maxPending} requests
     *     are waiting already
     */
    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
        return Mono.deferContextual(context -> {
            RequestHead address = RequestHead.of(method, uri);
            return executor.isInGroup(address)
                    ? record(new RecordedRequest(method, uri), requestCallback, context)
                    : execute(ConnectorExchange.unshared(connector, address, requestCallback, false, context));
        });
    }

    private Mono<ClientHttpResponse> record(
            RecordedRequest recorded, Function<? super ClientHttpRequest, Mono<Void>> callback, ContextView context) {
        Mono<Void> written;
        try {
            written = callback.apply(recorded);
        } catch (RuntimeException thrown) {
            if (!recorded.isAskedForNative()) {
                throw thrown;
            }
            written = Mono.empty();
        }
        if (!recorded.isComplete() || recorded.isAskedForNative()) {
            return execute(asWritten(recorded, callback, context));
        }
        if (written == Mono.<Void>empty()) {
            return execute(ConnectorExchange.of(connector, recorded, context));
        }
        return written.onErrorResume(thrown -> recorded.isAskedForNative() ? Mono.empty() : Mono.error(thrown))
                .then(Mono.defer(() -> execute(
                        recorded.isAskedForNative()
                                ? asWritten(recorded, callback, context)
                                : ConnectorExchange.of(connector, recorded, context))));
    }

    /** The request as its callback writes it. */
    private ConnectorExchange asWritten(
            RecordedRequest recorded, Function<? super ClientHttpRequest, Mono<Void>> callback, ContextView context) {
        return ConnectorExchange.unshared(
                connector, RequestHead.copyOf(recorded), callback, recorded.isAskedForNative(), context);
    }

    private Mono<ClientHttpResponse> execute(ConnectorExchange exchange) {
        return ReactiveExchange.execute(executor, exchange, ClientHttpResponse.class, carriesContext);
    }
}
