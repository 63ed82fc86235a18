package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.BlockingExchange;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;

/** A request on its way through a chain of interceptors. */
final class SpringExchange implements BlockingExchange<ClientHttpResponse>, HttpRequestView {

    // immutable
    private final HttpRequest request;
    private final byte[] body;
    private final ClientHttpRequestExecution execution;

    SpringExchange(HttpRequest request, byte[] body, ClientHttpRequestExecution execution) {
        this.request = request;
        this.body = body;
        this.execution = execution;
    }

    @Override
    public HttpRequestView request() {
        return this;
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

    @Override
    public HttpResponseView headOf(ClientHttpResponse response) throws IOException {
        return new ResponseHead(response, response.getStatusCode().value(), response.getStatusText());
    }

    private record ResponseHead(ClientHttpResponse response, int status, String reason) implements HttpResponseView {
        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            response.getHeaders().forEach(action);
        }
    }

    @Override
    public InputStream bodyOf(ClientHttpResponse response) throws IOException {
        return response.getBody();
    }

    @Override
    public ClientHttpResponse resumed(ClientHttpResponse response, InputStream resumedBody) {
        return new ResumedResponse(response, resumedBody);
    }

    @Override
    public ClientHttpResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        return new CopiedResponse(response, receiver);
    }

    @Override
    public ClientHttpResponse withHeader(ClientHttpResponse response, String name, String value) {
        return new MarkedResponse(response, name, value);
    }

    @Override
    public void close(ClientHttpResponse response) {
        response.close();
    }
}
