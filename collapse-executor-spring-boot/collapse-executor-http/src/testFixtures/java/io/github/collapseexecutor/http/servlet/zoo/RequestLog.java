package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.web.filter.CommonsRequestLoggingFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;

/** Filters that log each request with its body, in lines of method, number and body. */
public final class RequestLog {

    private RequestLog() {}

    /** Holds the body in Spring's wrapper, and logs when the request has been answered. */
    public static final class Caching implements Filter {

        // mutable, thread-safe
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        public List<String> lines() {
            return List.copyOf(lines);
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ContentCachingRequestWrapper held = new ContentCachingRequestWrapper((HttpServletRequest) request, 1024);
            chain.doFilter(held, response);
            lines.add(held.getMethod() + " " + held.getHeader(ZooClient.Call.NUMBER) + " " + held.getContentAsString());
        }
    }

    /** Spring's own filter, which sees that a request goes on asynchronously. */
    public static final class OfSpring extends CommonsRequestLoggingFilter {

        // mutable, thread-safe
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        public OfSpring() {
            setIncludePayload(true);
        }

        public List<String> lines() {
            return List.copyOf(lines);
        }

        @Override
        protected boolean shouldLog(HttpServletRequest request) {
            return true;
        }

        @Override
        protected void beforeRequest(HttpServletRequest request, String message) {}

        @Override
        protected void afterRequest(HttpServletRequest request, String message) {
            lines.add(request.getMethod() + " " + request.getHeader(ZooClient.Call.NUMBER) + " "
                    + Objects.requireNonNullElse(getMessagePayload(request), ""));
        }
    }
}
