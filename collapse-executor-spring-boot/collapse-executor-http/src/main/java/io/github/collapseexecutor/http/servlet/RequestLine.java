package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.rules.HttpRequestView;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * As much of a request as the rules, and a listener, need of one that never shares a run: its path is in no group, or it changes something.
 * Its headers, its user and its session are not asked for, because that costs something: to look for a session renews it.
 */
record RequestLine(String method, URI uri, String receivedPath) implements HttpRequestView {

    /** Copies the line of a request; null where the address is not one that a {@link URI} can express. */
    static @Nullable RequestLine of(HttpServletRequest request) {
        URI uri = RequestSnapshot.uri(request);
        return uri == null ? null : new RequestLine(request.getMethod(), uri, RequestSnapshot.receivedPath(request));
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {}

    @Override
    public boolean hasBody() {
        return false;
    }
}
