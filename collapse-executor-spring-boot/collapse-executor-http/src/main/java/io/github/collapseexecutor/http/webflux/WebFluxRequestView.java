package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.UnsafeRequests;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/** A request of a server as the rules see it, with what the filters in front have put in the place of what the client sent. */
final class WebFluxRequestView implements HttpRequestView {

    private static final String HIDDEN_PATH =
            "the server does not tell the path that a client has sent, so that a prefix of"
                    + " the path cannot be told from one that the client itself names; serve without a context path, and without"
                    + " X-Forwarded-Prefix, or with Reactor Netty or Tomcat";

    // immutable
    private final ServerHttpRequest request;
    private final Predicate<String> credential;
    private final WireTarget wire;
    private final List<@Nullable String> replaced;
    private final @Nullable String filterBehind;

    // mutable, written before the request is executed
    private boolean ofUser;

    private WebFluxRequestView(
            ServerHttpRequest request,
            Predicate<String> credential,
            WireTarget wire,
            List<@Nullable String> replaced,
            @Nullable String filterBehind) {
        this.request = request;
        this.credential = credential;
        this.wire = wire;
        this.replaced = replaced;
        this.filterBehind = filterBehind;
        SslInfo ssl = request.getSslInfo();
        this.ofUser = ssl != null && ssl.getPeerCertificates() != null && ssl.getPeerCertificates().length > 0;
    }

    /**
     * Shows the request of an exchange.
     *
     * @param credential tells by its name whether a header says on whose behalf a request is made
     * @param filterBehind why a filter behind the collapsing one is in the way; null if there is none
     */
    static WebFluxRequestView of(
            ServerWebExchange exchange, Predicate<String> credential, @Nullable String filterBehind) {
        ServerHttpRequest request = exchange.getRequest();
        return new WebFluxRequestView(request, credential, WireTarget.of(request), replacedIn(exchange), filterBehind);
    }

    /** The same with a request that stays what it is. */
    WebFluxRequestView of(SteadyRequest steady) {
        WebFluxRequestView view = new WebFluxRequestView(steady, credential, wire, replaced, filterBehind);
        view.ofUser = ofUser;
        return view;
    }

    /** What filters have put in the place of what the client sent, beside address and headers. */
    private static List<@Nullable String> replacedIn(ServerWebExchange exchange) {
        List<@Nullable String> parts = new ArrayList<>();
        ServerHttpRequest request = exchange.getRequest();
        ServerHttpRequest received = request;
        while (received instanceof ServerHttpRequestDecorator decorator) {
            received = decorator.getDelegate();
        }
        if (received != request && !received.getQueryParams().equals(request.getQueryParams())) {
            request.getQueryParams().forEach((name, values) -> {
                parts.add(name);
                parts.add(Integer.toString(values.size()));
                parts.addAll(values);
            });
        }
        ServerWebExchange arrived = exchange;
        while (arrived instanceof ServerWebExchangeDecorator decorator) {
            arrived = decorator.getDelegate();
        }
        if (arrived != exchange) {
            String locale = String.valueOf(exchange.getLocaleContext().getLocale());
            if (!locale.equals(String.valueOf(arrived.getLocaleContext().getLocale()))) {
                parts.add(locale);
            }
        }
        return parts;
    }

    /** Something says on whose behalf the request is made, beside its headers and its connection. */
    void identifyUser() {
        ofUser = true;
    }

    /** Whether anything says on whose behalf the request is made. */
    boolean isOfSomebody() {
        boolean[] found = {ofUser};
        forEachHeader((name, values) -> found[0] |= credential.test(name));
        return found[0];
    }

    boolean isReading() {
        return !UnsafeRequests.isUnsafe(method());
    }

    @Override
    public String method() {
        return request.getMethod().name();
    }

    @Override
    public URI uri() {
        return request.getURI();
    }

    /** Shows cookies that a filter has added without a header as the header that they stand for. */
    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        request.getHeaders().forEach(action);
        if (!request.getCookies().isEmpty() && request.getHeaders().getFirst(HttpHeaders.COOKIE) == null) {
            List<String> cookies = new ArrayList<>();
            request.getCookies().forEach((name, values) -> values.forEach(cookie -> cookies.add(cookie.toString())));
            action.accept(HttpHeaders.COOKIE, cookies);
        }
    }

    @Override
    public boolean hasBody() {
        HttpHeaders headers = request.getHeaders();
        return headers.getContentLength() > 0
                || headers.getFirst(HttpHeaders.TRANSFER_ENCODING) != null
                || (mayHideBody()
                        && (headers.getFirst(HttpHeaders.CONTENT_TYPE) != null
                                || headers.getFirst(HttpHeaders.CONTENT_ENCODING) != null));
    }

    /** Whether nothing but the body itself tells if there is one. */
    boolean mayHideBody() {
        return wire.mayHideBody() && request.getHeaders().getContentLength() < 0;
    }

    @Override
    public boolean identifiesUser() {
        return ofUser;
    }

    @Override
    public @Nullable String obstacle() {
        if (filterBehind != null) {
            return filterBehind;
        }
        return wire.path() == null && !contextPath().isEmpty() ? HIDDEN_PATH : null;
    }

    @Override
    public @Nullable String receivedPath() {
        return wire.path();
    }

    /** A context path that the client has sent is a part of the path; one that a forwarded header names is not. */
    @Override
    public @Nullable String dispatchedPath() {
        String path = request.getPath().value();
        String wirePath = wire.path();
        if (wirePath == null || wirePath.equals(path)) {
            return null;
        }
        String dispatched = wirePath.startsWith(contextPath())
                ? path
                : request.getPath().pathWithinApplication().value();
        return StringUtils.uriDecode(dispatched, StandardCharsets.UTF_8);
    }

    private String contextPath() {
        return request.getPath().contextPath().value();
    }

    @Override
    public List<@Nullable String> dispatchedTo() {
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(contextPath());
        parts.add(request.getPath().pathWithinApplication().value());
        parts.add(localPort());
        parts.addAll(replaced);
        if (wire.hasEmptyQuery()) {
            parts.add("?");
        }
        return Collections.unmodifiableList(parts);
    }

    /** The port that the request came by: a client may name the host and port of another server that has the same filter. */
    private @Nullable String localPort() {
        InetSocketAddress address = request.getLocalAddress();
        return address == null ? null : Integer.toString(address.getPort());
    }

    @Override
    public @Nullable String clientAddress() {
        InetSocketAddress address = request.getRemoteAddress();
        InetAddress resolved = address == null ? null : address.getAddress();
        if (resolved != null) {
            return resolved.getHostAddress();
        }
        return address == null ? null : address.getHostString();
    }
}
