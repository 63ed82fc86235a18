package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.AsyncCall;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server whose handler asks the scripted origin, so that the suites for clients hold for it: a run of the handler is a
 * request at the origin.
 */
final class Gateway {

    /** Headers of the browser do not tell requests apart; these say which test client and which of its calls it is. */
    private static final String CLIENT = "Sec-Test-Client";

    private static final String CALL = "Sec-Test-Call";

    private static final Set<String> OF_CONNECTION = Set.of("connection", "keep-alive", "x-hop", "transfer-encoding");

    // immutable
    private final ServletServer server;
    private final FollowerWaiting waiting;

    // mutable, thread-safe
    private final Map<String, Filter> filters = new ConcurrentHashMap<>();
    private final Map<String, AsyncCall> calls = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> leaving = new ConcurrentHashMap<>();
    private final AtomicInteger names = new AtomicInteger();

    private Gateway(ServletServer.Make make, FollowerWaiting waiting) {
        this.waiting = waiting;
        this.server = make.start(100, List.of(new Front()), new Handler());
    }

    static Gateway on(ServletServer.Make make, FollowerWaiting waiting) {
        return new Gateway(make, waiting);
    }

    void close() {
        server.close();
    }

    TestClient client(HttpCollapseOptions http, CollapseOptions core) {
        String client = Integer.toString(names.incrementAndGet());
        filters.put(
                client,
                waiting == FollowerWaiting.BLOCK
                        ? new CollapseServletFilter(http, core)
                        : WaitingRequests.asynchronous(http, core));
        return request -> {
            String name = Integer.toString(names.incrementAndGet());
            CountDownLatch left = new CountDownLatch(1);
            try (AsyncCall call = AsyncCall.begin()) {
                leaving.put(name, left);
                calls.put(name, call);
                TestClient.Response answer = RawClient.call(
                        server.port(), request.with(CLIENT, client).with(CALL, name));
                // A server may send the whole response before the filter knows that the handler has ended.
                assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
                return answer;
            } finally {
                calls.remove(name);
                leaving.remove(name);
            }
        };
    }

    private final class Front implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest http = (HttpServletRequest) request;
            Filter filter = filters.get(http.getHeader(CLIENT));
            AsyncCall call = calls.get(http.getHeader(CALL));
            if (call == null || request.getDispatcherType() != DispatcherType.REQUEST) {
                filter.doFilter(request, response, chain);
                return;
            }
            CountDownLatch left = leaving.get(http.getHeader(CALL));
            Thread thread = Thread.currentThread();
            call.submitting(() -> WaitingRequests.areOn(thread));
            try {
                filter.doFilter(request, response, chain);
            } finally {
                boolean parked = request.isAsyncStarted();
                call.submitting(() -> parked);
                left.countDown();
            }
        }
    }

    private final class Handler extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/error")) {
                response.getWriter().write("error page of " + response.getStatus());
                return;
            }
            AsyncCall call = calls.get(request.getHeader(CALL));
            if (call != null) {
                call.sent();
            }
            String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
            TestClient.Request asked = TestClient.Request.of(
                    request.getMethod(),
                    URI.create("http://" + request.getHeader("Host") + request.getRequestURI() + query));
            for (String name : Collections.list(request.getHeaderNames())) {
                if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                    for (String value : Collections.list(request.getHeaders(name))) {
                        asked = asked.with(name, value);
                    }
                }
            }
            TestClient.Response answer = answerOfOrigin(asked);
            response.setStatus(answer.status());
            answer.headers().forEach((name, values) -> {
                if (!OF_CONNECTION.contains(name)) {
                    values.forEach(value -> response.addHeader(name, value));
                }
            });
            response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
        }

        private static TestClient.Response answerOfOrigin(TestClient.Request asked) throws OriginFailedException {
            try {
                return RawClient.call(asked.uri().getPort(), asked);
            } catch (IOException e) {
                throw new OriginFailedException(e);
            }
        }
    }

    /** What a handler throws when its origin fails it; without a stack trace, because servers log it each time. */
    private static final class OriginFailedException extends IOException {

        private static final long serialVersionUID = 1L;

        OriginFailedException(IOException failure) {
            super("The origin failed: " + failure.getMessage());
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
