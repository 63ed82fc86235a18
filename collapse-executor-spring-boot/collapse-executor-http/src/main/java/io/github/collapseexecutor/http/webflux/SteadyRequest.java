package io.github.collapseexecutor.http.webflux;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * A request with the head that it has arrived with. A handler may go on when its own client is gone, and a server may use its request
 * objects for somebody else by then.
 */
final class SteadyRequest extends ServerHttpRequestDecorator {

    // immutable
    private final HttpHeaders headers;
    private final MultiValueMap<String, HttpCookie> cookies;
    private final @Nullable InetSocketAddress localAddress;
    private final @Nullable InetSocketAddress remoteAddress;
    private final @Nullable SslInfo sslInfo;

    SteadyRequest(ServerHttpRequest request) {
        super(request);
        HttpHeaders copy = new HttpHeaders();
        request.getHeaders().forEach((name, values) -> copy.put(name, new ArrayList<>(values)));
        this.headers = HttpHeaders.readOnlyHttpHeaders(copy);
        MultiValueMap<String, HttpCookie> sent = new LinkedMultiValueMap<>();
        request.getCookies().forEach((name, values) -> values.forEach(cookie -> sent.add(name, cookie)));
        this.cookies = sent;
        this.localAddress = request.getLocalAddress();
        this.remoteAddress = request.getRemoteAddress();
        this.sslInfo = request.getSslInfo();
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public MultiValueMap<String, HttpCookie> getCookies() {
        return cookies;
    }

    @Override
    public @Nullable InetSocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public @Nullable InetSocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    @Override
    public @Nullable SslInfo getSslInfo() {
        return sslInfo;
    }
}
