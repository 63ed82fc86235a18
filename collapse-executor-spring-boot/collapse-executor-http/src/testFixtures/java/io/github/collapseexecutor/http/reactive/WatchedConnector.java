package io.github.collapseexecutor.http.reactive;

import java.net.URI;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** A transport that tells of every exchange, with the context in which it is made, and of those that are cancelled. */
record WatchedConnector(ClientHttpConnector transport, Consumer<ContextView> sent, Runnable cancelled)
        implements ClientHttpConnector {

    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
        return Mono.deferContextual(context -> {
            sent.accept(context);
            return transport.connect(method, uri, requestCallback).doOnCancel(cancelled);
        });
    }
}
