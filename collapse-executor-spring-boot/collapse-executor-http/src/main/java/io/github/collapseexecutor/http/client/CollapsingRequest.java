package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** A request that is sent, if at all, by the request that it decorates; whether it is, is decided when it is executed. */
class CollapsingRequest implements ClientHttpRequest {

    // immutable
    private final HttpMethod method;
    private final URI uri;
    private final ClientHttpRequest delegate;
    private final BlockingHttpCollapseExecutor executor;
    private final RequestPath path;

    // mutable, confined to the thread that makes the request
    private boolean hasBody;
    private boolean executed;

    CollapsingRequest(
            HttpMethod method,
            URI uri,
            ClientHttpRequest delegate,
            BlockingHttpCollapseExecutor executor,
            RequestPath path) {
        this.method = method;
        this.uri = uri;
        this.delegate = delegate;
        this.executor = executor;
        this.path = path;
    }

    /** One that takes a body which is written when the request is sent, as its delegate does. */
    static final class Streaming extends CollapsingRequest implements StreamingHttpOutputMessage {

        // immutable
        private final StreamingHttpOutputMessage message;

        Streaming(
                HttpMethod method,
                URI uri,
                ClientHttpRequest delegate,
                BlockingHttpCollapseExecutor executor,
                RequestPath path) {
            super(method, uri, delegate, executor, path);
            this.message = (StreamingHttpOutputMessage) delegate;
        }

        @Override
        public void setBody(Body body) {
            withBody();
            message.setBody(body);
        }
    }

    final void withBody() {
        hasBody = true;
    }

    @Override
    public final HttpMethod getMethod() {
        return delegate.getMethod();
    }

    @Override
    public final URI getURI() {
        return delegate.getURI();
    }

    @Override
    public final Map<String, Object> getAttributes() {
        return delegate.getAttributes();
    }

    @Override
    public final HttpHeaders getHeaders() {
        return delegate.getHeaders();
    }

    @Override
    public final OutputStream getBody() throws IOException {
        withBody();
        return delegate.getBody();
    }

    @Override
    public final ClientHttpResponse execute() throws IOException {
        if (executed) {
            throw new IllegalStateException("ClientHttpRequest already executed");
        }
        ClientHttpResponse response = new Exchange().executeBy(executor);
        executed = true;
        return response;
    }

    /**
     * The way of this request. The delegate may add headers of its own when it sends: the two that describe its connection or
     * what it can decode are the same for all requests of the client and do not count, any other one does.
     */
    private final class Exchange extends SpringExchange {

        private static final Set<String> OF_THE_CLIENT = Set.of("content-length", "accept-encoding");

        // immutable
        private final Set<String> before = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        private final URI sentTo;
        private final List<@Nullable String> dispatchedTo;

        Exchange() {
            super(path);
            sentTo = Objects.requireNonNullElse(delegate.getURI(), uri); // later, it may be that of a redirect
            HttpMethod by = Objects.requireNonNullElse(delegate.getMethod(), method);
            dispatchedTo = uri.equals(sentTo) && method.equals(by) ? List.of() : List.of(by + " " + sentTo);
            delegate.getHeaders().forEach((name, values) -> before.add(name));
        }

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            delegate.getHeaders().forEach((name, values) -> {
                if (before.contains(name) || !OF_THE_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
                    action.accept(name, values);
                }
            });
        }

        @Override
        public String method() {
            return method.name();
        }

        @Override
        public URI uri() {
            return uri;
        }

        @Override
        URI sentTo() {
            return sentTo;
        }

        @Override
        ClientHttpRequest sent() {
            return delegate;
        }

        /** A request factory below may send it elsewhere than was asked, for one caller here and for another one there. */
        @Override
        public List<@Nullable String> dispatchedTo() {
            return dispatchedTo;
        }

        @Override
        public boolean hasBody() {
            return hasBody;
        }

        @Override
        public ClientHttpResponse send() throws IOException {
            return delegate.execute();
        }
    }
}
