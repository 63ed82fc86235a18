package io.github.collapseexecutor.http.okhttp;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.message.HttpFields;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import kotlin.Pair;
import okhttp3.Cookie;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;

/** The headers of a request with what is added behind the interceptor, but without what OkHttp adds to every request. */
final class SentHeaders {

    private static final String HOST = "Host";
    private static final String COOKIE = "Cookie";
    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    /** OkHttp adds these where the application has not set them, for the connection and for its cache. */
    private static final Set<String> ADDED = Set.of("Connection", "User-Agent", "If-None-Match", "If-Modified-Since");

    private SentHeaders() {}

    /** Shows each header with all its values, in the order of their first lines. */
    static void forEach(Headers headers, BiConsumer<? super String, ? super List<String>> action) {
        HttpFields.ofLines(headers, Pair::getFirst, Pair::getSecond).forEachHeader(action);
    }

    /** The headers that will be sent, as far as they are known before. */
    static Headers headersToBe(Request request, List<Cookie> cookies) {
        if (cookies.isEmpty()) {
            return request.headers();
        }
        String value = cookies.stream()
                .map(cookie -> cookie.name() + "=" + cookie.value())
                .collect(Collectors.joining("; "));
        return request.headers()
                .newBuilder()
                .removeAll(COOKIE)
                .addUnsafeNonAscii(COOKIE, value)
                .build();
    }

    /**
     * The headers that were sent first, and the credentials that a redirect or a retry added later: the key knows nothing of
     * those.
     */
    static Headers headersOf(Response response, Request asked, Predicate<String> isCredential) {
        Response first = firstOf(response);
        Headers.Builder headers = onTheWire(first, asked).newBuilder();
        for (Response later = response; later != first; later = requireNonNull(later.priorResponse())) {
            Headers sent = onTheWire(later, asked);
            forEach(sent, (name, values) -> {
                if (isCredential.test(name) && !values.equals(asked.headers(name))) {
                    values.forEach(value -> headers.addUnsafeNonAscii(name, value));
                }
            });
        }
        return headers.build();
    }

    /** The response to the first request of a call, which redirects and retries followed. */
    static Response firstOf(Response response) {
        Response first = response;
        for (Response prior = first.priorResponse(); prior != null; prior = first.priorResponse()) {
            first = prior;
        }
        return first;
    }

    private static Headers onTheWire(Response response, Request asked) {
        Response network = response.networkResponse();
        Request reachedOkHttp = response.request();
        if (network == null) {
            return reachedOkHttp.headers();
        }
        Headers.Builder sent = network.request().headers().newBuilder();
        for (String name : ADDED) {
            if (reachedOkHttp.header(name) == null) {
                sent.removeAll(name);
            }
        }
        if (asked.header(ACCEPT_ENCODING) == null) {
            sent.removeAll(ACCEPT_ENCODING); // of OkHttp or of an interceptor that also decodes the response
        }
        if (reachedOkHttp.header(HOST) == null && hostOf(reachedOkHttp.url()).equals(sent.get(HOST))) {
            sent.removeAll(HOST);
        }
        return sent.build();
    }

    private static String hostOf(HttpUrl url) {
        String host = url.host().contains(":") ? "[" + url.host() + "]" : url.host();
        return url.port() == HttpUrl.defaultPort(url.scheme()) ? host : host + ":" + url.port();
    }
}
