package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.CollectedBody;
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
import java.util.concurrent.CompletableFuture;

/** A request that changes something: it is never collapsed, but reads after it are not to join reads before it (H11). */
final class ForwardedExchange implements FutureExchange<ForwardedExchange> {

    // immutable
    private final ArrivedRequest arrived;
    private final CompletableFuture<ForwardedExchange> ended = new CompletableFuture<>();

    ForwardedExchange(ArrivedRequest arrived) {
        this.arrived = arrived;
    }

    void run(
            FutureHttpCollapseExecutor executor,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        CompletableFuture<ForwardedExchange> unused = executor.execute(this);
        boolean goesOn = false;
        try {
            chain.doFilter(request, response);
            goesOn = request.isAsyncStarted() && watch(request);
        } finally {
            if (!goesOn) {
                ended.complete(this);
            }
        }
    }

    /** Returns false if the handler has said meanwhile, on a thread of its own, that it is done. */
    private boolean watch(HttpServletRequest request) {
        try {
            request.getAsyncContext().addListener(new AsyncEnd(() -> ended.complete(this)));
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
    public CompletableFuture<ForwardedExchange> send() {
        return ended;
    }

    @Override
    public HttpResponseView headOf(ForwardedExchange response) {
        throw neverShared();
    }

    @Override
    public CompletableFuture<CollectedBody<ForwardedExchange>> collect(ForwardedExchange response, long limit) {
        throw neverShared();
    }

    @Override
    public ForwardedExchange answer(SharedResponse response, SharedResponse.Receiver receiver) {
        throw neverShared();
    }

    @Override
    public ForwardedExchange withHeader(ForwardedExchange response, String name, String value) {
        throw neverShared();
    }

    private static IllegalStateException neverShared() {
        return new IllegalStateException("A request that changes something was to be shared");
    }

    @Override
    public void close(ForwardedExchange response) {}

    @Override
    public boolean isTransportFailure(Throwable failure) {
        return false;
    }
}
