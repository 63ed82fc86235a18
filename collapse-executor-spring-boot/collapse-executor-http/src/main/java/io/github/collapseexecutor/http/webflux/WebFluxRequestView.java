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
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.TimeZoneAwareLocaleContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;

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
        WireTarget wire = WireTarget.of(request);
        return new WebFluxRequestView(request, credential, wire, replacedIn(exchange, wire), filterBehind);
    }

    /** The same with a request that stays what it is. */
    WebFluxRequestView of(SteadyRequest steady) {
        WebFluxRequestView view = new WebFluxRequestView(steady, credential, wire, replaced, filterBehind);
        view.ofUser = ofUser;
        return view;
    }

    /** What filters have put in the place of what the client sent, beside address and headers; nothing of a request as it arrived. */
    private static List<@Nullable String> replacedIn(ServerWebExchange exchange, WireTarget wire) {
        List<@Nullable String> parts = new ArrayList<>();
        ServerHttpRequest request = exchange.getRequest();
        String fragment = request.getURI().getRawFragment();
        if (fragment != null) { // no client sends one
            parts.add("#" + fragment);
        }
        if (exchange.isNotModified()) {
            parts.add("not modified");
        }
        boolean asArrived = Questions.isSprings(exchange);
        if (!asArrived || !(request instanceof AbstractServerHttpRequest)) {
            addParameters(request, parts);
            addLocalAddress(request, wire, parts);
        }
        if (!asArrived) {
            addLocale(exchange, parts);
        }
        return parts;
    }

    /** Adds parameters, unless they are those that Spring has read from the address. */
    private static void addParameters(ServerHttpRequest request, List<@Nullable String> parts) {
        ServerHttpRequest received = request;
        while (received instanceof ServerHttpRequestDecorator decorator) {
            received = decorator.getDelegate();
        }
        MultiValueMap<String, String> present = request.getQueryParams();
        boolean ofAddress = received instanceof AbstractServerHttpRequest
                && received.getURI().equals(request.getURI())
                && received.getQueryParams().equals(present);
        if (!ofAddress) {
            parts.add("parameters");
            present.forEach((name, values) -> {
                parts.add(name);
                parts.add(Integer.toString(values.size()));
                parts.addAll(values);
            });
        }
    }

    /** Adds the address that the request came by, where it is not what the server tells. */
    private static void addLocalAddress(ServerHttpRequest request, WireTarget wire, List<@Nullable String> parts) {
        InetSocketAddress local = request.getLocalAddress();
        if (wire.localAddress() == null || !wire.localAddress().equals(local)) {
            parts.add("at " + (local == null ? null : hostOf(local)));
        }
    }

    /** Adds the locale, where it is not what Spring has found; nobody tells what is behind an exchange of another make. */
    private static void addLocale(ServerWebExchange exchange, List<@Nullable String> parts) {
        ServerWebExchange arrived = Questions.arrived(exchange);
        String locale = localeOf(exchange);
        if (!Questions.isSprings(arrived) || !locale.equals(localeOf(arrived))) {
            parts.add(locale);
        }
    }

    private static String localeOf(ServerWebExchange exchange) {
        LocaleContext context = exchange.getLocaleContext();
        Locale locale = context.getLocale();
        TimeZone zone = context instanceof TimeZoneAwareLocaleContext aware ? aware.getTimeZone() : null;
        return "locale " + locale + " " + (locale == null ? null : locale.toLanguageTag()) + " "
                + (zone == null ? null : zone.getID());
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
        String ofAddress = request.getURI().getRawPath();
        if (ofAddress == null) {
            return null; // in no group, and Spring has no path of it
        }
        String path = request.getPath().value();
        String known = wire.path() == null ? ofAddress : wire.path();
        if (known.equals(path)) {
            return null;
        }
        String dispatched = known.startsWith(contextPath())
                ? path
                : request.getPath().pathWithinApplication().value();
        return StringUtils.uriDecode(dispatched, StandardCharsets.UTF_8);
    }

    /** The path of an address that a filter has replaced: handlers may go by it, though Spring does not. */
    @Override
    public @Nullable String rewrittenPath() {
        String wirePath = wire.path();
        String path = request.getURI().getRawPath();
        if (path == null) {
            return request.getURI().toString(); // in no group
        }
        if (wirePath == null || path.equals(wirePath)) {
            return null;
        }
        String context = contextPath();
        String rewritten =
                !wirePath.startsWith(context) && path.startsWith(context) ? path.substring(context.length()) : path;
        return rewritten.equals(wirePath) ? null : rewritten;
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
        return address == null ? null : hostOf(address);
    }

    private static String hostOf(InetSocketAddress address) {
        InetAddress resolved = address.getAddress();
        return resolved == null ? address.getHostString() : resolved.getHostAddress();
    }
}
