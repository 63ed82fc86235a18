package io.github.collapseexecutor.http.reactive;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import reactor.core.publisher.Flux;

/**
 * Says that a response broke off in mid-body, with what its readers need to fail as they would without the adapter: while they read the
 * body, and not before there is a response. Only this package sees it.
 */
final class BrokenBodyException extends IOException {

    private static final long serialVersionUID = 1L;

    // immutable
    private final int status;
    private final @Nullable String contentType;
    private final transient @Nullable Object attachment;

    BrokenBodyException(Throwable failure, int status, @Nullable String contentType, @Nullable Object attachment) {
        super(failure.getMessage(), failure);
        this.status = status;
        this.contentType = contentType;
        this.attachment = attachment;
    }

    HttpStatusCode status() {
        return HttpStatusCode.valueOf(status);
    }

    /** Headers by which a body is decoded; the others are the leader's alone. */
    HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        if (contentType != null) {
            headers.set(HttpHeaders.CONTENT_TYPE, contentType);
        }
        return headers;
    }

    /** What the followers need of the leader's response. */
    @Nullable Object attachment() {
        return attachment;
    }

    /** A body that breaks off before its first byte. */
    <T> Flux<T> body() {
        return Flux.error(getCause());
    }
}
