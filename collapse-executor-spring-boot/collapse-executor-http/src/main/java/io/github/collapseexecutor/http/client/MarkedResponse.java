package io.github.collapseexecutor.http.client;

import java.util.ArrayList;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.ClientHttpResponse;

/** A response with one more header value. */
final class MarkedResponse extends DelegatingResponse {

    // immutable
    private final HttpHeaders headers = new HttpHeaders();

    MarkedResponse(ClientHttpResponse original, String name, String value) {
        super(original);
        original.getHeaders().forEach((present, values) -> headers.put(present, new ArrayList<>(values)));
        headers.add(name, value);
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }
}
