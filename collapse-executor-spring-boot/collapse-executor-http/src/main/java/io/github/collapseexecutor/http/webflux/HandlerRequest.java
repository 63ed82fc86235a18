package io.github.collapseexecutor.http.webflux;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import reactor.core.publisher.Flux;

/** A request as a handler sees it. It notices what the handler asks for that is for one client only, or that no key shows. */
final class HandlerRequest extends ServerHttpRequestDecorator {

    // immutable
    private final Questions questions;
    private final UnaryOperator<Map<String, Object>> attributes;
    private final boolean mayHideBody;

    /**
     * Shows a request.
     *
     * @param attributes shows attributes as the handler gets them
     * @param mayHideBody whether nothing but the body itself tells if there is one, in this request and in others
     */
    HandlerRequest(
            ServerHttpRequest request,
            Questions questions,
            UnaryOperator<Map<String, Object>> attributes,
            boolean mayHideBody) {
        super(request);
        this.questions = questions;
        this.attributes = attributes;
        this.mayHideBody = mayHideBody;
    }

    /**
     * Where nobody knows whether requests have bodies, the response of a handler that looks is for its own client (H9). Otherwise a request
     * with a body has not got here, unless a filter in front has given it one.
     */
    @Override
    public Flux<DataBuffer> getBody() {
        Flux<DataBuffer> body = super.getBody();
        return mayHideBody
                ? body.doFirst(questions::keepForClient)
                : body.doOnNext(buffer -> questions.keepForClient());
    }

    @Override
    public @Nullable SslInfo getSslInfo() {
        SslInfo ssl = super.getSslInfo();
        questions.askedForConnection(ssl);
        return ssl;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes.apply(super.getAttributes());
    }
}
