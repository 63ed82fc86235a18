package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.InputStream;
import java.util.ArrayList;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A receiver's own copy of a shared response (H28). Its body can be read as often as that of the response it was copied from:
 * either {@code getBody()} returns the same stream each time, or a new one that starts at the beginning.
 */
final class SpringCopiedResponse implements ClientHttpResponse {

    // immutable
    private final SharedResponse response;
    private final boolean repeatable;
    private final InputStream body;
    private final HttpHeaders headers = new HttpHeaders();

    SpringCopiedResponse(SharedResponse response, SharedResponse.Receiver receiver, boolean repeatable) {
        this.response = response;
        this.repeatable = repeatable;
        this.body = response.body();
        response.forEachHeader(receiver, (name, values) -> headers.put(name, new ArrayList<>(values)));
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return HttpStatusCode.valueOf(response.status());
    }

    @Override
    public String getStatusText() {
        return response.reason();
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBody() {
        return repeatable ? response.body() : body;
    }

    /** There is nothing to release: the response that it was copied from is closed. */
    @Override
    public void close() {}
}
