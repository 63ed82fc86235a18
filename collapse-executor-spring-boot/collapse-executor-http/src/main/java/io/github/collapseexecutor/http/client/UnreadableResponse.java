package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A response whose head could not be read when the adapter asked for it. The first question of its caller gets that failure, and later ones
 * go to the transport, as without the adapter: {@code HttpURLConnection} wraps the failure in itself each time that it is asked again.
 */
final class UnreadableResponse extends DelegatingResponse {

    // mutable, confined to the caller
    private @Nullable IOException failure;

    UnreadableResponse(ClientHttpResponse original, IOException failure) {
        super(original);
        this.failure = failure;
    }

    private void failOnce() throws IOException {
        IOException first = failure;
        failure = null;
        if (first != null) {
            throw first;
        }
    }

    @Override
    public HttpStatusCode getStatusCode() throws IOException {
        failOnce();
        return super.getStatusCode();
    }

    @Override
    public String getStatusText() throws IOException {
        failOnce();
        return super.getStatusText();
    }

    /** {@code HttpURLConnection} swallows the failure here, and counts as asked. */
    @Override
    public HttpHeaders getHeaders() {
        failure = null;
        return super.getHeaders();
    }

    @Override
    public InputStream getBody() throws IOException {
        failOnce();
        return super.getBody();
    }
}
