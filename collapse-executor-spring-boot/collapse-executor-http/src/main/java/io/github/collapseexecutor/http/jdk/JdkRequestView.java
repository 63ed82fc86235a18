package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.rules.HttpRequestView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request as it is given to the client, with the cookies that the client is going to add. */
final class JdkRequestView implements HttpRequestView {

    // immutable
    private final HttpRequest request;
    private final HttpClient client;

    private final @Nullable String obstacle;

    // mutable, confined to the caller's thread until the request is gathered, then to the present step of its exchange
    private @Nullable Map<String, List<String>> cookies;
    private @Nullable Map<String, List<String>> changedCookies;

    JdkRequestView(HttpRequest request, HttpClient client, @Nullable String obstacle) {
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

    private Map<String, List<String>> cookies() {
        if (changedCookies != null) {
            return changedCookies;
        }
        if (cookies == null) {
            cookies = cookiesNow();
        }
        return cookies;
    }

    /**
     * Looks whether the client has other cookies now than when the request arrived; if so, the request counts as changed from then on,
     * even if they change back. To be asked before and after the client takes the cookies that it sends.
     */
    void lookForOtherCookies() {
        if (changedCookies == null) {
            Map<String, List<String>> now = cookiesNow();
            changedCookies = now.equals(cookies()) ? null : now;
        }
    }

    /** A request that shares nothing leaves the handler to the client. */
    private Map<String, List<String>> cookiesNow() {
        return obstacle == null ? client.cookieHandler().map(this::cookiesOf).orElse(Map.of()) : Map.of();
    }

    private Map<String, List<String>> cookiesOf(CookieHandler handler) {
        try {
            return handler.get(request.uri(), request.headers().map());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not by the only handler that is asked
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
