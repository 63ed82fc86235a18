package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response of which a part was read, as if it had not been. */
final class ResumedResponse implements ClientHttpResponse {

    // immutable
    private final ClientHttpResponse original;
    private final InputStream body;

    ResumedResponse(ClientHttpResponse original, InputStream body) {
        this.original = original;
        this.body = body;
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
    public InputStream getBody() {
        return body;
    }

    @Override
    public void close() {
        original.close();
    }
}
