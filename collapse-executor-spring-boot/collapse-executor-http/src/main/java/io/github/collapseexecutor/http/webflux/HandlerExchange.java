package io.github.collapseexecutor.http.webflux;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
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
    private final Questions questions;

    // mutable, confined to the handler's signals
    private volatile @Nullable WebSession session;
    private boolean transformsItself;
    private @Nullable ServerWebExchange conditions;

    private HandlerExchange(
            ServerWebExchange exchange,
            ServerHttpRequest request,
            boolean mayHideBody,
            ServerHttpResponse response,
            Questions questions) {
        super(exchange);
        this.questions = questions;
        this.request = new HandlerRequest(request, questions, this::shown, mayHideBody);
        this.response = response;
        this.attributes = new HandlerAttributes(exchange.getAttributes(), questions::keepForClient);
    }

    /**
     * Shows the exchange of a handler.
     *
     * @param mayHideBody whether nothing but the body itself tells if there is one
     * @param questions notes what the handler asks for
     */
    static HandlerExchange own(
            ServerWebExchange exchange,
            ServerHttpRequest request,
            boolean mayHideBody,
            WebFluxCapturedResponse response,
            Questions questions) {
        return new HandlerExchange(exchange, request, mayHideBody, response, questions);
    }

    /**
     * Shows the exchange of a filter in front, with its own request and response.
     *
     * @param mayHideBody whether nothing but the body itself tells if there is one
     * @param questions notes what the handler asks for
     */
    static HandlerExchange inFront(ServerWebExchange exchange, boolean mayHideBody, Questions questions) {
        return new HandlerExchange(exchange, exchange.getRequest(), mayHideBody, exchange.getResponse(), questions);
    }

    /** A request shows the attributes of its exchange, too. */
    private Map<String, Object> shown(Map<String, Object> ofRequest) {
        return ofRequest == super.getAttributes()
                ? attributes
                : new HandlerAttributes(ofRequest, questions::keepForClient);
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
        asked(Questions.Question.SESSION);
        return super.getSession().doOnNext(present -> session = present);
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        asked(Questions.Question.FORM_DATA);
        return super.getFormData();
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        asked(Questions.Question.MULTIPART_DATA);
        return super.getMultipartData();
    }

    @Override
    public @Nullable ApplicationContext getApplicationContext() {
        asked(Questions.Question.APPLICATION_CONTEXT);
        return super.getApplicationContext();
    }

    private void asked(Questions.Question question) {
        questions.asked(question, getDelegate());
    }

    @Override
    public String transformUrl(String url) {
        String transformed = super.transformUrl(url);
        questions.askedToTransform(url, transformed);
        if (transformsItself) {
            questions.keepForClient(); // the exchanges of others do not
        }
        return transformed;
    }

    @Override
    public void addUrlTransformer(Function<String, String> transformer) {
        transformsItself = true;
        super.addUrlTransformer(transformer);
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
