package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.BodyWatch;
import io.github.collapseexecutor.http.BoundedBody;
import io.github.collapseexecutor.http.FutureExchange;
import io.github.collapseexecutor.http.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * A request that changes something: it is never collapsed, but reads after its end are not to join reads before it, unless it
 * ended with an error response (H11). A handler that fails in another way may have changed something all the same.
 */
final class ForwardedExchange implements FutureExchange<HttpResponseView> {

    // immutable
    private final RequestView arrived;
    private final CompletableFuture<HttpResponseView> ended = new CompletableFuture<>();

    ForwardedExchange(RequestView arrived) {
        this.arrived = arrived;
    }

    Mono<Void> run(FutureHttpCollapseExecutor executor, ServerWebExchange exchange, WebFilterChain chain) {
        CompletableFuture<HttpResponseView> unused = executor.execute(this);
        return Mono.defer(() -> chain.filter(exchange))
                .doOnSuccess(end -> ended.complete(new StatusOnly(
                        HandlerHead.statusOf(exchange.getResponse().getStatusCode()))))
                .doOnError(this::failed)
                .doOnCancel(() -> ended.completeExceptionally(new CancellationException()));
    }

    private void failed(Throwable failure) {
        if (failure instanceof ErrorResponse error) {
            ended.complete(new StatusOnly(error.getStatusCode().value()));
        } else {
            ended.completeExceptionally(failure);
        }
    }

    @Override
    public HttpRequestView request() {
        return arrived;
    }

    @Override
    public CompletableFuture<HttpResponseView> send() {
        return ended;
    }

    @Override
    public HttpResponseView headOf(HttpResponseView response) {
        return response;
    }

    /** As much of a head as matters here. */
    private record StatusOnly(int status) implements HttpResponseView {
        @Override
        public String reason() {
            return "";
        }

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {}
    }

    @Override
    public CompletableFuture<BoundedBody<HttpResponseView>> collect(HttpResponseView response, long limit) {
        throw neverShared();
    }

    @Override
    public HttpResponseView watched(HttpResponseView response, BodyWatch watch) {
        throw neverShared();
    }

    @Override
    public HttpResponseView answer(SharedResponse response, SharedResponse.Receiver receiver) {
        throw neverShared();
    }

    @Override
    public HttpResponseView withHeader(HttpResponseView response, String name, String value) {
        throw neverShared();
    }

    private static IllegalStateException neverShared() {
        return new IllegalStateException("A request that changes something was to be shared");
    }

    @Override
    public void close(HttpResponseView response) {}

    @Override
    public boolean isTransportFailure(Throwable failure) {
        return false;
    }
}
