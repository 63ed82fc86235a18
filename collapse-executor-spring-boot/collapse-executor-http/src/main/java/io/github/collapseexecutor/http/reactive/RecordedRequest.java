package io.github.collapseexecutor.http.reactive;

import java.net.URI;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.AbstractClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import reactor.core.publisher.Mono;

/**
 * A request that is written to nowhere, to learn what would be sent. It never subscribes to a body: where the callback writes
 * one, or writes later, {@link #isComplete()} is false when the callback returns, and nothing of it may be subscribed to.
 */
final class RecordedRequest extends AbstractClientHttpRequest {

    // immutable
    private final HttpMethod method;
    private final URI uri;

    // mutable, confined to the thread that runs the callback; the last flag also to the one that subscribes to its
    // result
    private boolean hasActions;
    private boolean complete;
    private volatile boolean askedForNative;
    private @Nullable Consumer<ClientHttpRequest> watch;

    RecordedRequest(HttpMethod method, URI uri) {
        this.method = method;
        this.uri = uri;
    }

    /** The recorded request that a request is, or that it decorates; null if it is another one. */
    static @Nullable RecordedRequest in(ClientHttpRequest request) {
        ClientHttpRequest undecorated = request;
        while (undecorated instanceof ClientHttpRequestDecorator decorator) {
            undecorated = decorator.getDelegate();
        }
        return undecorated instanceof RecordedRequest recorded ? recorded : null;
    }

    /** Has the request shown that is sent at last, if any is, to a collapsing filter that stands in front. */
    void whenSent(Consumer<ClientHttpRequest> watchOfFilter) {
        watch = watchOfFilter;
    }

    /** Whether the request has ended without a body. */
    boolean isComplete() {
        return complete;
    }

    /** Whether the callback asked for the request of the HTTP library, which does not exist yet. */
    boolean isAskedForNative() {
        return askedForNative;
    }

    /** Writes what was recorded to the request that is sent. */
    Mono<Void> writeTo(ClientHttpRequest request) {
        if (watch != null) {
            watch.accept(request);
        }
        getHeaders().forEach(request.getHeaders()::putIfAbsent);
        RequestHead.copy(getCookies(), request.getCookies());
        request.getAttributes().putAll(getAttributes());
        return request.setComplete();
    }

    @Override
    public HttpMethod getMethod() {
        return method;
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public DataBufferFactory bufferFactory() {
        return DefaultDataBufferFactory.sharedInstance;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Spring's signature
    public <T> T getNativeRequest() {
        askedForNative = true;
        throw new NativeRequestMissing();
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return doCommit();
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return doCommit();
    }

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {
        hasActions = true;
        super.beforeCommit(action);
    }

    /** Returns {@link Mono#empty()} itself where nothing is left to do, so that nobody needs to subscribe to it. */
    @Override
    public Mono<Void> setComplete() {
        boolean ended = super.isCommitted();
        complete |= !ended;
        return hasActions && !ended ? doCommit() : Mono.empty();
    }

    @Override
    public boolean isCommitted() {
        return complete || super.isCommitted();
    }

    @Override
    protected Mono<Void> doCommit() {
        return complete && !hasActions ? Mono.empty() : super.doCommit();
    }

    @Override
    protected void applyHeaders() {
        // there is nothing to apply them to
    }

    @Override
    protected void applyCookies() {
        // there is nothing to apply them to
    }

    /** Ends the callback; nobody sees it. */
    private static final class NativeRequestMissing extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NativeRequestMissing() {
            super("The request of the HTTP library does not exist yet", null, false, false);
        }
    }
}
