package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.BodyWatch;
import io.github.collapseexecutor.http.BoundedBody;
import io.github.collapseexecutor.http.FutureExchange;
import io.github.collapseexecutor.http.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A request that changes something: it is never collapsed, but reads after its end are not to join reads before it, unless it
 * ended with an error (H11). A handler that throws may have changed something all the same.
 */
final class ForwardedExchange implements FutureExchange<HttpServletResponse> {

    // immutable
    private final RequestSnapshot arrived;
    private final CompletableFuture<HttpServletResponse> ended = new CompletableFuture<>();

    ForwardedExchange(RequestSnapshot arrived) {
        this.arrived = arrived;
    }

    void run(
            FutureHttpCollapseExecutor executor,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        CompletableFuture<HttpServletResponse> unused = executor.execute(this);
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException | Error failure) {
            ended.completeExceptionally(failure);
            throw failure;
        }
        if (!request.isAsyncStarted() || !watch(request, response)) {
            ended.complete(response);
        }
    }

    /** Returns false if the handler has said meanwhile, on a thread of its own, that it is done. */
    private boolean watch(HttpServletRequest request, HttpServletResponse response) {
        try {
            request.getAsyncContext().addListener(new AsyncEnd(() -> ended.complete(response)));
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Override
    public HttpRequestView request() {
        return arrived;
    }

    @Override
    public CompletableFuture<HttpServletResponse> send() {
        return ended;
    }

    @Override
    public HttpResponseView headOf(HttpServletResponse response) {
        return new StatusOnly(response.getStatus());
    }

    /** As much of a head as matters here. */
    private record StatusOnly(int status) implements HttpResponseView {
        @Override
        public String reason() {
            return "";
        }

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {}
    }

    @Override
    public CompletableFuture<BoundedBody<HttpServletResponse>> collect(HttpServletResponse response, long limit) {
        throw neverShared();
    }

    @Override
    public HttpServletResponse watched(HttpServletResponse response, BodyWatch watch) {
        throw neverShared();
    }

    @Override
    public HttpServletResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        throw neverShared();
    }

    @Override
    public HttpServletResponse withHeader(HttpServletResponse response, String name, String value) {
        throw neverShared();
    }

    private static IllegalStateException neverShared() {
        return new IllegalStateException("A request that changes something was to be shared");
    }

    @Override
    public void close(HttpServletResponse response) {}

    @Override
    public boolean isTransportFailure(Throwable failure) {
        return false;
    }
}
