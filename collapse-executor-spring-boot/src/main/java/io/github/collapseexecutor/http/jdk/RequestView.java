package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.HttpRequestView;
import java.io.IOException;
import java.net.CookieHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request as it is given to the client, with the cookies that the client is going to add. */
final class RequestView implements HttpRequestView {

    // immutable
    private final HttpRequest request;
    private final HttpClient client;

    // mutable, confined to the caller's thread until the request is gathered
    private @Nullable String obstacle;
    private @Nullable Map<String, List<String>> cookies;

    RequestView(HttpRequest request, HttpClient client, @Nullable String obstacle) {
        this.request = request;
        this.client = client;
        this.obstacle = obstacle;
    }

    HttpRequest request() {
        return request;
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public URI uri() {
        return request.uri();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        request.headers().map().forEach(action);
        if (request.expectContinue()) {
            action.accept("Expect", List.of("100-continue"));
        }
        cookies().forEach(action);
    }

    /** Asked for once, so that the request looks the same after it was sent. */
    private Map<String, List<String>> cookies() {
        if (cookies == null) {
            cookies = client.cookieHandler().map(this::cookiesOf).orElse(Map.of());
        }
        return cookies;
    }

    private Map<String, List<String>> cookiesOf(CookieHandler handler) {
        try {
            return handler.get(request.uri(), request.headers().map());
        } catch (IOException | RuntimeException e) {
            // the client asks it too, and its caller finds out
            obstacle = "the CookieHandler of the client fails with a "
                    + e.getClass().getName();
            return Map.of();
        }
    }

    @Override
    public boolean hasBody() {
        return request.bodyPublisher().map(body -> body.contentLength() != 0).orElse(false);
    }

    @Override
    public @Nullable String obstacle() {
        return obstacle;
    }
}
