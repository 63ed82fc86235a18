package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * A request that changes something: it is never collapsed, but reads after its end are not to join reads before it, unless it
 * ended with an error response (H11). A handler that fails in another way may have changed something all the same.
 *
 * <p>An error response counts as the end as soon as it is committed, because its client may read on before the handler has ended. A
 * response of success ends with its handler, which may go on changing.
 */
final class WebFluxChangingRequest {

    // immutable
    private final WebFluxRequestView arrived;
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    WebFluxChangingRequest(WebFluxRequestView arrived) {
        this.arrived = arrived;
    }

    Mono<Void> run(FutureHttpCollapseExecutor executor, ServerWebExchange exchange, WebFilterChain chain) {
        executor.forwarding(arrived, status);
        ServerHttpResponse response = exchange.getResponse();
        response.beforeCommit(() -> Mono.fromRunnable(() -> committed(response)));
        return Mono.defer(() -> chain.filter(exchange))
                .doOnSuccess(end -> status.complete(WebFluxHandlerHead.statusOf(response.getStatusCode())))
                .doOnError(this::failed)
                .doOnCancel(() -> status.completeExceptionally(new CancellationException()));
    }

    private void committed(ServerHttpResponse response) {
        HttpStatusCode code = response.getStatusCode();
        if (code != null && code.isError()) {
            status.complete(code.value());
        }
    }

    private void failed(Throwable failure) {
        if (failure instanceof ErrorResponse error) {
            status.complete(error.getStatusCode().value());
        } else {
            status.completeExceptionally(failure);
        }
    }
}
