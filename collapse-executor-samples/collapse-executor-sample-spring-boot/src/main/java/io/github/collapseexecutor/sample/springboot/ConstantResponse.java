package io.github.collapseexecutor.sample.springboot;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;

/** A response that no server sent: what is left of a client's work when the answer costs nothing. */
final class ConstantResponse implements ClientHttpResponse {

    /** The body; as JSON, a number. */
    static final String BODY = "0";

    // immutable
    private final HttpHeaders headers = new HttpHeaders();
    private final InputStream body = new ByteArrayInputStream(BODY.getBytes(StandardCharsets.US_ASCII));

    ConstantResponse() {
        headers.setContentType(MediaType.APPLICATION_JSON);
        headers.setContentLength(BODY.length());
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return HttpStatus.OK;
    }

    @Override
    public String getStatusText() {
        return HttpStatus.OK.getReasonPhrase();
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBody() {
        return body;
    }

    @Override
    public void close() {}
}
