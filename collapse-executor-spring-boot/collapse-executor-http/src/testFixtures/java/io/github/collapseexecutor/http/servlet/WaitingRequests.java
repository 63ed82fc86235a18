package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands before the filter under test and sees the requests that wait: those whose threads wait in the filter, and those that have
 * given their thread back without an answer.
 */
final class WaitingRequests implements Filter {

    private static final class Arrival {

        private final Thread thread = Thread.currentThread();
        private volatile boolean parked;
        private volatile boolean left;
        // confined to the test
        private boolean counted;

        boolean waits() {
            return parked || (!left && areOn(thread));
        }
    }

    // mutable, thread-safe
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

    /** A filter whose followers give their threads back. */
    static CollapseServletFilter asynchronous(HttpCollapseOptions http, CollapseOptions core) {
        return CollapseServletFilter.builder(http)
                .core(core)
                .waiting(FollowerWaiting.ASYNC)
                .build();
    }

    /** Whether a request waits on a thread of the container. */
    static boolean areOn(Thread thread) {
        return LockSupport.getBlocker(thread) instanceof RequestWait;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
        }
        Arrival arrival = new Arrival();
        arrivals.add(arrival);
        try {
            chain.doFilter(request, response);
            arrival.parked = request.isAsyncStarted();
        } finally {
            arrival.left = true;
        }
    }

    /** How many requests this filter has let pass, answered or not. */
    int arrivals() {
        return arrivals.size();
    }

    /** How many requests have given their thread back without an answer. */
    long parked() {
        return arrivals.stream().filter(arrival -> arrival.parked).count();
    }

    /**
     * Returns as soon as the request that came last has left all filters behind this one; its client may know its response before. If it goes
     * on asynchronously, it is none of those that {@link #await} sees.
     */
    void awaitLatestLeft() {
        Arrival latest = arrivals.get(arrivals.size() - 1);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        latest.counted = true;
        while (!latest.left) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("The latest request is still in a filter");
            }
            LockSupport.parkNanos(200_000);
        }
    }

    /** Returns as soon as this many more requests have been seen to wait. */
    void await(int count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        int found = 0;
        while (true) {
            for (Arrival arrival : arrivals) {
                if (found < count && !arrival.counted && arrival.waits()) {
                    arrival.counted = true;
                    found++;
                }
            }
            if (found == count) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Expected " + count + " more requests that wait, but there are " + found);
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
