package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** A server whose handler is held until its leader and the followers are where a test wants them. */
abstract class HeldHandlerFixture {

    static final CollapseOptions IN_FLIGHT = Callers.IN_FLIGHT;

    static final int FOLLOWERS = 8;

    private static final String LEFT = "left";

    final WaitingRequests waiting = new WaitingRequests();
    private final List<RawClient> clients = new ArrayList<>();
    final AtomicInteger runs = new AtomicInteger();
    private final Semaphore entered = new Semaphore(0);
    final CountDownLatch released = new CountDownLatch(1);
    volatile ScriptedServlet.Script script =
            (request, response) -> response.getWriter().write("body");
    volatile boolean holding = true;
    private ServletServer server;
    /** Filters of an application that stand before the one under test. */
    List<Filter> before = List.of();
    /** One for the handler that is held, one for all others. */
    int threads = 2;

    @AfterEach
    void stop() throws IOException {
        released.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    void start(ServletServer.Make make) {
        start(make, CollapsePolicy.strict(), IN_FLIGHT);
    }

    void start(ServletServer.Make make, CollapsePolicy policy, CollapseOptions core) {
        start(make, HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(policy, "/**"))), core);
    }

    void start(ServletServer.Make make, HttpCollapseOptions.Builder http, CollapseOptions core) {
        Filter user = (request, response, chain) -> {
            String name = ((HttpServletRequest) request).getHeader("Sec-Test-User");
            chain.doFilter(name == null ? request : new LoggedIn((HttpServletRequest) request, name), response);
        };
        List<Filter> filters = new ArrayList<>(List.of(waiting, user));
        filters.addAll(before);
        filters.add(WaitingRequests.asynchronous(http.build(), core));
        server = make.start(threads, filters, new ScriptedServlet(this::handle));
    }

    private static final class LoggedIn extends HttpServletRequestWrapper {

        private final String name;

        LoggedIn(HttpServletRequest request, String name) {
            super(request);
            this.name = name;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> name;
        }
    }

    private void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        if (request.getRequestURI().equals("/error")) {
            Object failure = request.getAttribute("jakarta.servlet.error.exception");
            response.setContentType("text/x-page");
            response.setHeader("X-Page", "error");
            response.getWriter()
                    .write("page of " + response.getStatus() + " "
                            + request.getAttribute("jakarta.servlet.error.message") + " " + failure);
            return;
        }
        if (request.getAttribute("again") == null) {
            runs.incrementAndGet();
            entered.release();
        }
        if (holding) {
            hold();
        }
        script.run(request, response);
    }

    private void hold() {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitHandler() throws InterruptedException {
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    RawClient send(Request request) throws IOException {
        RawClient client = RawClient.send(server.port(), request);
        clients.add(client);
        return client;
    }

    static Request get() {
        return Request.get(URI.create("http://localhost/a"));
    }

    /** A leader whose handler is held, and followers that wait without a thread. */
    List<RawClient> gathered() throws Exception {
        List<RawClient> all = new ArrayList<>();
        all.add(send(get()));
        awaitHandler();
        for (int i = 0; i < FOLLOWERS; i++) {
            all.add(send(get()));
        }
        waiting.await(FOLLOWERS);
        return all;
    }

    List<Response> responses(List<RawClient> all) throws Exception {
        holding = false;
        released.countDown();
        List<Response> responses = new ArrayList<>();
        for (RawClient client : all) {
            responses.add(client.response("GET"));
        }
        return responses;
    }

    /** All get what the leader's handler wrote. */
    List<Response> assertShared() throws Exception {
        List<Response> responses = responses(gathered());
        assertThat(runs).hasValue(1);
        assertThat(responses)
                .extracting(response -> response.status() + response.body())
                .containsOnly(responses.get(0).status() + responses.get(0).body());
        return responses;
    }

    /** Everybody runs the handler. */
    List<Response> assertForwarded() throws Exception {
        List<Response> responses = responses(gathered());
        assertThat(runs).hasValue(1 + FOLLOWERS);
        return responses;
    }

    /** A filter in front that tells {@link #onceLeft} when the thread of the handler has gone back. */
    static final Filter LEAVING = (request, response, chain) -> {
        CountDownLatch left = new CountDownLatch(1);
        request.setAttribute(LEFT, left);
        try {
            chain.doFilter(request, response);
        } finally {
            left.countDown();
        }
    };

    /** Writes to a response that goes on, and completes it, on a thread of its own that waits until the handler's has gone back. */
    static void onceLeft(HttpServletRequest request, AsyncContext context, Writing writing) {
        CountDownLatch left = (CountDownLatch) request.getAttribute(LEFT);
        Thread writer = new Thread(() -> {
            awaitQuietly(left);
            try {
                writing.writeTo(context.getResponse());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            context.complete();
        });
        writer.start();
    }

    /** What a handler writes. */
    interface Writing {
        void writeTo(ServletResponse response) throws IOException;
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
