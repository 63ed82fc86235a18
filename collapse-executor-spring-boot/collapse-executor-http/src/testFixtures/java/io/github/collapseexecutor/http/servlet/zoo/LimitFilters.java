package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Filters that limit and measure. */
public final class LimitFilters {

    private LimitFilters() {}

    /** Lets only so many requests in at a time; the others wait for a permit. */
    public static final class Concurrency implements Filter {

        // mutable, thread-safe
        private final Semaphore permits;
        private final AtomicInteger passed = new AtomicInteger();

        public Concurrency(int permits) {
            this.permits = new Semaphore(permits);
        }

        /** How many requests have got a permit so far. */
        public int passed() {
            return passed.get();
        }

        public int available() {
            return permits.availablePermits();
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            permits.acquireUninterruptibly();
            try {
                passed.incrementAndGet();
                chain.doFilter(request, response);
            } finally {
                permits.release();
            }
        }
    }

    /** Refuses the requests of a client that are too many for one second. */
    public static final class Rate implements Filter {

        /** Names the client. */
        public static final String HEADER = "X-Client";

        // immutable
        private final int perSecond;

        // mutable, thread-safe
        private final AtomicLong second = new AtomicLong();
        private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

        public Rate(int perSecond) {
            this.perSecond = perSecond;
        }

        /** Lets a second pass; no clock does. */
        public void nextSecond() {
            second.incrementAndGet();
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String client = ((HttpServletRequest) request).getHeader(HEADER) + " in second " + second;
            if (counts.computeIfAbsent(client, key -> new AtomicInteger()).incrementAndGet() > perSecond) {
                HttpServletResponse refusal = (HttpServletResponse) response;
                refusal.setStatus(429);
                refusal.setHeader("Retry-After", "1");
                return;
            }
            chain.doFilter(request, response);
        }
    }

    /** Measures how long each request takes. */
    public static final class Timing implements Filter {

        /** From entering to leaving the filter, both of {@link System#nanoTime()}. */
        public record Measured(long enteredAt, long leftAt) {}

        // mutable, thread-safe
        private final Map<String, Measured> measured = new ConcurrentHashMap<>();

        /** What was measured for the request of this number. */
        public Measured of(int number) {
            Measured found = measured.get(Integer.toString(number));
            if (found == null) {
                throw new AssertionError("Nothing was measured for request " + number);
            }
            return found;
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            long enteredAt = System.nanoTime();
            try {
                chain.doFilter(request, response);
            } finally {
                measured.put(
                        ((HttpServletRequest) request).getHeader(ZooClient.Call.NUMBER),
                        new Measured(enteredAt, System.nanoTime()));
            }
        }
    }
}
