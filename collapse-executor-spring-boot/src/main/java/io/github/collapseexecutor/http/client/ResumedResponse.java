package io.github.collapseexecutor.http.client;

import java.io.InputStream;
import org.springframework.http.client.ClientHttpResponse;

/** A response of which a part was read, as if it had not been. */
final class ResumedResponse extends ForwardedResponse {

    // immutable
    private final InputStream body;

    ResumedResponse(ClientHttpResponse original, InputStream body) {
        super(original);
        this.body = body;
    }

    @Override
    public InputStream getBody() {
        return body;
    }
}
