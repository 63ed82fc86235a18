package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.call.BlockingExchange;
import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.spring.HeadersByName;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** A request of one of Spring's blocking clients; a subclass knows what it is and how it is sent. */
abstract class SpringExchange implements BlockingExchange<ClientHttpResponse>, HttpRequestView {

    private static final String UNSEEN =
            "the transport of a RestTemplate or RestClient does not show the redirects that it follows, so that a request with credentials is"
                    + " sent for its own caller only; give the client one of Spring's request factories within a"
                    + " CollapseClientHttpRequestFactory, which sees whether redirects were followed";

    // immutable
    private final RequestPath path;

    // mutable, confined to the calling thread
    private boolean answered;
    private @Nullable List<HttpResponseView> followed;
    private @Nullable InputStream opened;
    private @Nullable IOException unreadable;

    SpringExchange(RequestPath path) {
        this.path = path;
    }

    /**
     * Has the executor answer the exchange. A response whose head could not be read, or whose body breaks off, fails when its caller reads
     * that, as without the adapter.
     */
    final ClientHttpResponse executeBy(BlockingHttpCollapseExecutor executor) throws IOException {
        try {
            ClientHttpResponse response = executor.execute(this);
            IOException failure = unreadable;
            if (failure != null) {
                return new UnreadableResponse(response, failure);
            }
            return response;
        } catch (IOException | RuntimeException e) {
            SpringBrokenBody broken = SpringBrokenBody.of(e);
            if (broken == null) {
                throw e;
            }
            return broken.response(this, e);
        }
    }

    @Override
    public final HttpRequestView request() {
        return this;
    }

    @Override
    public final @Nullable Object client() {
        return path.client();
    }

    @Override
    public final @Nullable String obstacle() {
        return path.obstacle();
    }

    /** Known when the response is there: the transport does not tell it before. */
    @Override
    public final @Nullable String unseenRedirects() {
        return answered && followed == null ? UNSEEN : null;
    }

    @Override
    public final HttpResponseView headOf(ClientHttpResponse response) throws IOException {
        try {
            List<HttpResponseView> steps = SpringFollowedSteps.to(response, sent(), sentTo());
            followed = steps;
            answered = true;
            return new ResponseHead(
                    response,
                    response.getStatusCode().value(),
                    response.getStatusText(),
                    Objects.requireNonNullElse(steps, List.of()));
        } catch (IOException e) {
            unreadable = e;
            throw e;
        }
    }

    /** The address that the request is sent to, as far as it is known. */
    URI sentTo() {
        return uri();
    }

    /** The request that is sent; null if it is not known. */
    @Nullable ClientHttpRequest sent() {
        return null;
    }

    private record ResponseHead(ClientHttpResponse response, int status, String reason, List<HttpResponseView> followed)
            implements HttpResponseView {
        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            HeadersByName.show(response.getHeaders(), action);
        }
    }

    /** A transport of the application's own may give null for an empty body, as Spring's clients allow. */
    @Override
    public final InputStream bodyOf(ClientHttpResponse response) throws IOException {
        SpringBrokenBody ifBroken = SpringBrokenBody.ifBroken(this, response);
        @Nullable InputStream given = ifBroken.open(response);
        InputStream body = given == null ? InputStream.nullInputStream() : given;
        opened = body;
        return ifBroken.watched(body);
    }

    /** A body that breaks off is the transport's failure, of whichever class its exception is. */
    @Override
    public final boolean isTransportFailure(Throwable failure) {
        return failure instanceof IOException || SpringBrokenBody.of(failure) != null;
    }

    /**
     * Tells the followers whether the body of this response can be read more than once: after its end, {@code getBody()}
     * returns another stream that begins anew, as that of a buffered response does. It is asked when the whole body has been
     * read, because some responses return another stream over the same bytes.
     */
    @Override
    public final Boolean attachmentOf(ClientHttpResponse response) {
        try {
            InputStream first = opened;
            InputStream second = first == null ? null : response.getBody();
            return second != null && second != first && second.read() >= 0;
        } catch (IOException | RuntimeException readOnce) {
            return false;
        }
    }

    @Override
    public final ClientHttpResponse resumed(ClientHttpResponse response, InputStream resumedBody) {
        return new ResumedResponse(response, opened, resumedBody);
    }

    @Override
    public final ClientHttpResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        HttpHeaders headers = new HttpHeaders();
        response.forEachHeader(receiver, (name, values) -> headers.put(name, new ArrayList<>(values)));
        InputStream once = response.body();
        boolean repeatable = Boolean.TRUE.equals(response.attachment());
        return new SpringCopiedResponse(
                HttpStatusCode.valueOf(response.status()),
                response.reason(),
                headers,
                () -> repeatable ? response.body() : once);
    }

    @Override
    public final ClientHttpResponse withHeader(ClientHttpResponse response, String name, String value) {
        HttpHeaders headers = new HttpHeaders();
        response.getHeaders().forEach((present, values) -> headers.put(present, new ArrayList<>(values)));
        headers.add(name, value);
        return new DelegatingResponse(response) {
            @Override
            public HttpHeaders getHeaders() {
                return headers;
            }
        };
    }

    @Override
    public final void close(ClientHttpResponse response) {
        response.close();
    }
}
