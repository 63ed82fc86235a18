package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response with one more header value. */
final class MarkedResponse implements ClientHttpResponse {

    // immutable
    private final ClientHttpResponse original;
    private final HttpHeaders headers = new HttpHeaders();

    MarkedResponse(ClientHttpResponse original, String name, String value) {
        this.original = original;
        original.getHeaders().forEach((present, values) -> headers.put(present, new ArrayList<>(values)));
        headers.add(name, value);
    }

    @Override
    public HttpStatusCode getStatusCode() throws IOException {
        return original.getStatusCode();
    }

    @Override
    public String getStatusText() throws IOException {
        return original.getStatusText();
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBody() throws IOException {
        return original.getBody();
    }

    @Override
    public void close() {
        original.close();
    }
}
