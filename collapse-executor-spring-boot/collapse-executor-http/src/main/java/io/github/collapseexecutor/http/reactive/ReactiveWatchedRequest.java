package io.github.collapseexecutor.http.reactive;

import java.net.URI;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyInserter;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import reactor.core.publisher.Mono;

/** A request that shows what it is written to: a connector, or a request of another kind, may add headers there. */
record ReactiveWatchedRequest(ClientRequest request, Consumer<ClientHttpRequest> watch) implements ClientRequest {

    @Override
    public Mono<Void> writeTo(ClientHttpRequest output, ExchangeStrategies strategies) {
        watch.accept(output);
        return request.writeTo(output, strategies);
    }

    @Override
    public HttpMethod method() {
        return request.method();
    }

    @Override
    public URI url() {
        return request.url();
    }

    @Override
    public HttpHeaders headers() {
        return request.headers();
    }

    @Override
    public MultiValueMap<String, String> cookies() {
        return request.cookies();
    }

    @Override
    public BodyInserter<?, ? super ClientHttpRequest> body() {
        return request.body();
    }

    @Override
    public Map<String, Object> attributes() {
        return request.attributes();
    }

    @Override
    public @Nullable Consumer<ClientHttpRequest> httpRequest() {
        return request.httpRequest();
    }

    @Override
    public String logPrefix() {
        return request.logPrefix();
    }
}
