package io.github.collapseexecutor.http.reactive;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * What is known of a response that broke off in mid-body: its readers fail as they would without the adapter, while they read the body,
 * and not before there is a response. The failure itself goes its way as the transport threw it.
 *
 * @param status the status of the response
 * @param contentType by which the body is decoded; the other headers are the leader's alone
 * @param attachment what the followers need of the leader's response
 */
record ReactiveBrokenBody(
        HttpStatusCode status,
        @Nullable String contentType,
        @Nullable Object attachment) {

    /** By failures, which are equal to themselves alone; each for as long as anybody has the failure. */
    private static final Map<Throwable, ReactiveBrokenBody> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

    /** Notes what a failure has broken. */
    void by(Throwable failure) {
        KNOWN.put(failure, this);
    }

    /** Returns what a failure has broken; null if that was no body. */
    static @Nullable ReactiveBrokenBody of(Throwable failure) {
        return KNOWN.get(failure);
    }

    HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        if (contentType != null) {
            headers.set(HttpHeaders.CONTENT_TYPE, contentType);
        }
        return headers;
    }
}
