package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * A request that changes something: it is never collapsed, but reads after its end are not to join reads before it, unless it
 * ended with an error (H11). A handler that throws may have changed something all the same.
 */
final class ServletChangingRequest {

    // immutable
    private final RequestLine arrived;
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    ServletChangingRequest(RequestLine arrived) {
        this.arrived = arrived;
    }

    void run(
            FutureHttpCollapseExecutor executor,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        executor.forwarding(arrived, status);
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException | Error failure) {
            status.completeExceptionally(failure);
            throw failure;
        }
        if (!request.isAsyncStarted() || !watch(request, response)) {
            status.complete(response.getStatus());
        }
    }

    /** Returns false if the handler has said meanwhile, on a thread of its own, that it is done. */
    private boolean watch(HttpServletRequest request, HttpServletResponse response) {
        try {
            request.getAsyncContext().addListener(new AsyncEnd(() -> status.complete(response.getStatus())));
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
