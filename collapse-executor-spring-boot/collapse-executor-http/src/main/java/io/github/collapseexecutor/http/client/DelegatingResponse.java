package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** The origin's own response, of which a subclass shows one part otherwise; closing it closes the original. */
class DelegatingResponse implements ClientHttpResponse {

    // immutable
    private final ClientHttpResponse original;

    DelegatingResponse(ClientHttpResponse original) {
        this.original = original;
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
        return original.getHeaders();
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
