package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.rules.HttpRequestView;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.client.ClientRequest;

/**
 * The header section of a request as the rules see it.
 *
 * @param cookies as they are written to the {@code Cookie} header; Spring keeps them apart from the other headers until then
 */
record RequestHead(String method, URI uri, HttpHeaders headers, List<String> cookies) implements HttpRequestView {

    private static final Set<HttpMethod> SHARED = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    /** The request as the filter sees it; it cannot change. */
    static RequestHead of(ClientRequest request) {
        List<String> cookies = new ArrayList<>();
        request.cookies().forEach((name, values) -> values.forEach(value -> cookies.add(name + "=" + value)));
        return new RequestHead(request.method().name(), request.url(), request.headers(), cookies);
    }

    /** A copy of the request as the connector sees it; it changes until it is sent, and afterwards shows the transport's own. */
    static RequestHead copyOf(ClientHttpRequest request) {
        HttpHeaders headers = new HttpHeaders();
        copy(request.getHeaders(), headers);
        List<String> cookies = new ArrayList<>();
        request.getCookies().forEach((name, values) -> values.forEach(cookie -> cookies.add(cookie.toString())));
        return new RequestHead(request.getMethod().name(), request.getURI(), headers, cookies);
    }

    /** The same with what the HTTP client itself has added to the request, at the moment before Spring's headers are. */
    static RequestHead sent(ClientHttpRequest request, @Nullable Object transport) {
        RequestHead head = copyOf(request);
        NativeHeaders.addTo(head.headers(), request, transport);
        return head;
    }

    /** A request of which nothing but the address is known yet. */
    static RequestHead of(HttpMethod method, URI uri) {
        return new RequestHead(method.name(), uri, new HttpHeaders(), List.of());
    }

    /** Puts the headers in place of those of the same names. */
    static void copy(HttpHeaders from, HttpHeaders to) {
        from.forEach((name, values) -> to.put(name, new ArrayList<>(values)));
    }

    /** Adds the values to those of the same names. */
    static <V> void copy(MultiValueMap<String, V> from, MultiValueMap<String, V> to) {
        from.forEach((name, values) -> to.addAll(name, values));
    }

    /** Whether a response to a request of this method may answer several requests at all. */
    static boolean isShared(HttpMethod method) {
        return SHARED.contains(method);
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        headers.forEach(action);
        if (!cookies.isEmpty()) {
            action.accept(HttpHeaders.COOKIE, cookies);
        }
    }

    /** It is asked for the header section only. */
    @Override
    public boolean hasBody() {
        return false;
    }
}
