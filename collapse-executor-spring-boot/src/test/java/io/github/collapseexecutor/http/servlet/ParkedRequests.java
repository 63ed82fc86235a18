package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before the filter under test and counts the requests that have given their thread back without an answer. */
final class ParkedRequests implements Filter {

    // mutable, thread-safe
    private final Semaphore parked = new Semaphore(0);
    private final AtomicInteger arrivals = new AtomicInteger();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean arrives = request.getDispatcherType() == DispatcherType.REQUEST;
        if (arrives) {
            arrivals.incrementAndGet();
        }
        chain.doFilter(request, response);
        if (arrives && request.isAsyncStarted()) {
            parked.release();
        }
    }

    /** How many requests this filter has let pass, answered or not. */
    int arrivals() {
        return arrivals.get();
    }

    void await(int count) throws InterruptedException {
        if (!parked.tryAcquire(count, 30, TimeUnit.SECONDS)) {
            throw new AssertionError("Expected " + count + " more requests without a thread, but there are "
                    + parked.availablePermits());
        }
    }
}
