package io.github.collapseexecutor.http.webflux;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import reactor.core.publisher.Mono;

/**
 * An exchange as a handler sees it, be it its own, with the captured response and a request that stays what it is, or that of a filter in
 * front, which the handler finds in its Reactor context. It notices what the handler asks for that is for one client only.
 */
final class HandlerExchange extends ServerWebExchangeDecorator {

    private static final ServerCodecConfigurer CODECS = ServerCodecConfigurer.create();

    // immutable
    private final ServerHttpRequest request;
    private final ServerHttpResponse response;
    private final HandlerAttributes attributes;

    // mutable, confined to the handler's signals
    private volatile @Nullable WebSession session;
    private @Nullable ServerWebExchange conditions;

    private HandlerExchange(
            ServerWebExchange exchange, ServerHttpRequest request, ServerHttpResponse response, Runnable personal) {
        super(exchange);
        this.request = request;
        this.response = response;
        this.attributes = new HandlerAttributes(exchange.getAttributes(), personal);
    }

    static HandlerExchange own(
            ServerWebExchange exchange, ServerHttpRequest request, WebFluxCapturedResponse response) {
        return new HandlerExchange(exchange, request, response, response::keepForClient);
    }

    /**
     * Shows the exchange of a filter in front, with its own request and response.
     *
     * @param personal is told when the handler asks for a value that is for one client only
     */
    static HandlerExchange inFront(ServerWebExchange exchange, Runnable personal) {
        return new HandlerExchange(exchange, exchange.getRequest(), exchange.getResponse(), personal);
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public ServerHttpResponse getResponse() {
        return response;
    }

    @Override
    public Mono<WebSession> getSession() {
        return super.getSession().doOnNext(present -> session = present);
    }

    /** The session that the handler has asked for, or null. */
    @Nullable WebSession session() {
        return session;
    }

    /** Spring's own check, which looks at the request and changes the response that it was made with. */
    private ServerWebExchange conditions() {
        ServerWebExchange present = conditions;
        if (present == null) {
            present = new DefaultServerWebExchange(
                    request, response, exchange -> Mono.empty(), CODECS, new AcceptHeaderLocaleContextResolver());
            conditions = present;
        }
        return present;
    }

    @Override
    public boolean isNotModified() {
        ServerWebExchange present = conditions;
        return present == null ? super.isNotModified() : present.isNotModified();
    }

    @Override
    public boolean checkNotModified(Instant lastModified) {
        return conditions().checkNotModified(lastModified);
    }

    @Override
    public boolean checkNotModified(String etag) {
        return conditions().checkNotModified(etag);
    }

    @Override
    public boolean checkNotModified(@Nullable String etag, Instant lastModified) {
        return conditions().checkNotModified(etag, lastModified);
    }
}
