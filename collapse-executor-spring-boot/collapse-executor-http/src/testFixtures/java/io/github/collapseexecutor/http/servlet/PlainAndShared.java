package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.servlet.zoo.Passing;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One server that does what a case says in its handler: for a request that may not collapse, for a lone one, and for a leader with
 * followers. The bytes on the wire, and what the handler has seen, are compared.
 */
final class PlainAndShared implements AutoCloseable {

    /** What a handler does, and what it tells of what it has seen. */
    interface Case {
        void run(HttpServletResponse response, List<String> seen) throws IOException;
    }

    /**
     * What came of a case.
     *
     * @param clients status, headers and body of each client; each byte is a character
     * @param handlers what the handler saw in each run
     */
    record Outcome(List<String> clients, List<List<String>> handlers) {}

    private static final int FOLLOWERS = 2;

    private static final String PART = "part";

    private static final ThreadLocal<HttpServletRequest> RUNNING = new ThreadLocal<>();

    // immutable
    private final WaitingRequests waiting = new WaitingRequests();
    private final ServletServer server;

    // mutable, thread-safe
    private final Semaphore entered = new Semaphore(0);
    private final Semaphore ended = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();
    private final List<List<String>> seen = new CopyOnWriteArrayList<>();
    private volatile Case present = (response, told) -> {};
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private int number;

    /** Starts a server whose followers give their threads back. */
    PlainAndShared(ServletServer.Make make) {
        this(make, List.of(), http -> WaitingRequests.asynchronous(http, Callers.IN_FLIGHT));
    }

    /** Starts a server with filters in front that do not support that a request leaves them without a response. */
    PlainAndShared(ServletServer.Make make, Filter... front) {
        this(make, List.of(front), http -> new CollapseServletFilter(http, Callers.IN_FLIGHT));
    }

    private PlainAndShared(
            ServletServer.Make make, List<Filter> front, Function<HttpCollapseOptions, Filter> collapsing) {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        List<Filter> filters = new ArrayList<>(List.of(waiting));
        filters.addAll(front);
        filters.add(collapsing.apply(http));
        server = make.start(4, filters, new ScriptedServlet(this::handle));
    }

    private void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) != null) { // forwarded to, or included
            response.getWriter().write("page of " + response.getStatus());
            return;
        }
        if (request.getAttribute(PART) instanceof ScriptedServlet.Script part) {
            request.removeAttribute(PART);
            part.run(request, response);
            return;
        }
        runs.incrementAndGet();
        entered.release();
        ScriptedServlet.await(gate);
        List<String> told = new ArrayList<>();
        RUNNING.set(request);
        try {
            present.run(response, told);
        } finally {
            RUNNING.remove();
            seen.add(told);
            ended.release();
        }
    }

    /** Has a resource that the handler includes do something. */
    static Case included(Dispatching by, Case part) {
        return passed(by, part, RequestDispatcher::include);
    }

    /** Has a resource to which the handler forwards do something. */
    static Case forwarded(Dispatching by, Case part) {
        return passed(by, part, RequestDispatcher::forward);
    }

    /** Has another thread do something when the handler has returned, or before. */
    static Case asynchronous(Case part) {
        return (response, told) -> {
            HttpServletRequest request = RUNNING.get();
            AsyncContext context = request.startAsync(request, response);
            context.start(() -> {
                try {
                    part.run(response, told);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    context.complete();
                }
            });
        };
    }

    private static Case passed(Dispatching by, Case part, Passing passing) {
        return (response, told) -> {
            HttpServletRequest request = RUNNING.get();
            ScriptedServlet.Script script = (unused, shown) -> part.run(shown, told);
            request.setAttribute(PART, script);
            try {
                passing.pass(by.dispatcher(request), request, response);
            } catch (ServletException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    Outcome plain(Case next) throws Exception {
        begin(next);
        return outcome(List.of(RawClient.send(server.port(), get().with("Cache-Control", "no-store"))));
    }

    Outcome alone(Case next) throws Exception {
        begin(next);
        return outcome(List.of(RawClient.send(server.port(), get())));
    }

    Outcome shared(Case next) throws Exception {
        begin(next);
        gate = new CountDownLatch(1);
        List<RawClient> clients = new ArrayList<>(List.of(RawClient.send(server.port(), get())));
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < FOLLOWERS; i++) {
            clients.add(RawClient.send(server.port(), get()));
        }
        waiting.await(FOLLOWERS);
        gate.countDown();
        return outcome(clients);
    }

    private void begin(Case next) {
        number++; // an address of its own, of which nothing is remembered
        entered.drainPermits();
        runs.set(0);
        seen.clear();
        present = next;
    }

    private Request get() {
        return Request.get(URI.create("http://localhost/" + number)).with("Connection", "close");
    }

    private Outcome outcome(List<RawClient> clients) throws Exception {
        List<String> answers = new ArrayList<>();
        for (RawClient client : clients) {
            try (client) {
                Response response = client.response("GET", StandardCharsets.ISO_8859_1);
                Map<String, List<String>> headers = new TreeMap<>(response.headers());
                headers.remove("date");
                answers.add(response.status() + " " + headers + " " + response.body());
            } catch (EOFException e) {
                answers.add("a response that is shorter than it says");
            }
        }
        // a client may have its response before the handler has returned
        assertThat(ended.tryAcquire(runs.get(), 30, TimeUnit.SECONDS)).isTrue();
        return new Outcome(answers, List.copyOf(seen));
    }

    @Override
    public void close() {
        gate.countDown();
        server.close();
    }
}
