package io.github.collapseexecutor.http.okhttp;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.Headers;
import okhttp3.Request;
import okhttp3.Response;

/**
 * A request with what is added to it behind the interceptor and may tell users apart, but without what OkHttp itself adds
 * to every request.
 *
 * @param uri its address
 * @param headers its headers
 */
record SentRequest(URI uri, Headers headers) {

    private static final String COOKIE = "Cookie";

    /** OkHttp adds these where the application has not set them: about the connection, its cache, its decompression. */
    private static final Set<String> ADDED =
            Set.of("Host", "Connection", "Accept-Encoding", "User-Agent", "If-None-Match", "If-Modified-Since");

    private static final List<String> CREDENTIALS = List.of("Authorization", COOKIE, "Proxy-Authorization");

    /** What will be sent, as far as it is known before. */
    static SentRequest toBe(Request request, CookieJar jar) {
        List<Cookie> cookies = jar.loadForRequest(request.url());
        Headers headers = request.headers();
        if (!cookies.isEmpty()) {
            String value = cookies.stream()
                    .map(cookie -> cookie.name() + "=" + cookie.value())
                    .collect(Collectors.joining("; "));
            headers = headers.newBuilder().set(COOKIE, value).build();
        }
        return new SentRequest(request.url().uri(), headers);
    }

    /** What was sent, told from the response; if it came by redirects or retries, what was sent first. */
    static SentRequest of(Response response) {
        Response first = response;
        Headers.Builder later = new Headers.Builder();
        for (Response prior = response.priorResponse(); prior != null; prior = prior.priorResponse()) {
            addCredentials(first, later);
            first = prior;
        }
        return new SentRequest(
                first.request().url().uri(),
                headersOf(first).newBuilder().addAll(later.build()).build());
    }

    private static Headers headersOf(Response response) {
        Response network = response.networkResponse();
        Headers asked = response.request().headers();
        if (network == null) {
            return asked;
        }
        Headers.Builder sent = network.request().headers().newBuilder();
        for (String name : ADDED) {
            if (asked.get(name) == null) {
                sent.removeAll(name);
            }
        }
        return sent.build();
    }

    /** Credentials for a second address are unknown to the key of the first. */
    private static void addCredentials(Response response, Headers.Builder headers) {
        Headers sent = headersOf(response);
        for (String name : CREDENTIALS) {
            for (String value : sent.values(name)) {
                headers.addUnsafeNonAscii(name, value);
            }
        }
    }
}
