package io.github.collapseexecutor.http.reactive;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.AbstractClientHttpResponse;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;

/** A response of parts; its body can be read once, as that of a connection. */
final class ReactiveCopiedResponse extends AbstractClientHttpResponse {

    ReactiveCopiedResponse(
            HttpStatusCode status,
            HttpHeaders headers,
            MultiValueMap<String, ResponseCookie> cookies,
            Flux<DataBuffer> body) {
        super(status, headers, cookies, body);
    }
}
