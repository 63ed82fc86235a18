package io.github.collapseexecutor.http.webflux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;

/**
 * A request of which nobody knows whether it has a body, and whether others have one: the response of a handler that looks is for its
 * own client (H9).
 */
final class WebFluxWatchedRequest extends ServerHttpRequestDecorator {

    // immutable
    private final Runnable looked;

    /**
     * Watches a request.
     *
     * @param looked is told when the handler looks for the body
     */
    WebFluxWatchedRequest(ServerHttpRequest request, Runnable looked) {
        super(request);
        this.looked = looked;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return super.getBody().doFirst(looked);
    }
}
