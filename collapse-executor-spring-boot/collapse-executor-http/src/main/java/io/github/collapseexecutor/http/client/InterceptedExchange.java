package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;

/** A request on its way through a chain of interceptors. */
final class InterceptedExchange extends SpringExchange {

    // immutable
    private final HttpRequest request;
    private final byte[] body;
    private final ClientHttpRequestExecution execution;

    InterceptedExchange(HttpRequest request, byte[] body, ClientHttpRequestExecution execution, RequestPath path) {
        super(path);
        this.request = request;
        this.body = body;
        this.execution = execution;
    }

    @Override
    public String method() {
        return request.getMethod().name();
    }

    @Override
    public URI uri() {
        return request.getURI();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        request.getHeaders().forEach(action);
    }

    @Override
    public boolean hasBody() {
        return body.length > 0;
    }

    @Override
    public ClientHttpResponse send() throws IOException {
        return execution.execute(request, body);
    }
}
