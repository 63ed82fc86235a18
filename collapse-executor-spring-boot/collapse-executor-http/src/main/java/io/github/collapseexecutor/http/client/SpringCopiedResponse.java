package io.github.collapseexecutor.http.client;

import java.io.InputStream;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A receiver's own copy of a shared response (H28), or of one that broke off. There is nothing to release: the original is closed.
 *
 * @param body gives the body: the same stream each time, or a new one that starts at the beginning, as the original does
 */
record SpringCopiedResponse(HttpStatusCode status, String reason, HttpHeaders headers, Supplier<InputStream> body)
        implements ClientHttpResponse {

    @Override
    public HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public String getStatusText() {
        return reason;
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBody() {
        return body.get();
    }

    @Override
    public void close() {}

    /** Shows nothing of the origin's response (H33). */
    @Override
    public String toString() {
        return "SpringCopiedResponse[status=" + status + "]";
    }
}
