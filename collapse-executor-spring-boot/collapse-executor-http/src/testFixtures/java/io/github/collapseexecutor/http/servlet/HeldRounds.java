package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * A server whose handler shows what it sees of a request, and may do something to its response before. In a round, all requests are present before a handler answers: each
 * of them is held in a handler, or waits for another's.
 */
final class HeldRounds implements AutoCloseable {

    // immutable
    private final ServletServer server;
    private final BiFunction<HttpServletRequest, HttpServletResponse, String> shown;

    // mutable, thread-safe
    private final Semaphore settled = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private HeldRounds(
            ServletServer.Make make,
            HttpCollapseOptions http,
            CollapseOptions core,
            List<Filter> before,
            BiFunction<HttpServletRequest, HttpServletResponse, String> shown) {
        this.shown = shown;
        List<Filter> filters = new ArrayList<>();
        filters.add((request, response, chain) -> {
            chain.doFilter(request, response);
            if (request.getDispatcherType() == DispatcherType.REQUEST && request.isAsyncStarted()) {
                settled.release();
            }
        });
        filters.addAll(before);
        filters.add(WaitingRequests.asynchronous(http, core));
        this.server = make.start(40, filters, new ScriptedServlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ERROR) {
                return;
            }
            runs.incrementAndGet();
            settled.release();
            ScriptedServlet.await(gate);
            response.setContentType("text/plain;charset=UTF-8");
            String text = this.shown.apply(request, response);
            response.getWriter().write(text);
        }));
    }

    static HeldRounds on(
            ServletServer.Make make,
            HttpCollapseOptions http,
            CollapseOptions core,
            List<Filter> before,
            BiFunction<HttpServletRequest, HttpServletResponse, String> shown) {
        return new HeldRounds(make, http, core, before, shown);
    }

    int port() {
        return server.port();
    }

    /** What a request is answered when no other is there. */
    private String alone(Request request) throws IOException {
        Response response = RawClient.call(server.port(), request);
        settled.drainPermits();
        return response.status() + " " + response.body();
    }

    /**
     * Sends all requests, each of which is answered only when all others are there too.
     *
     * @return how often the handler ran
     */
    int round(List<Request> requests, List<String> expected) throws Exception {
        gate = new CountDownLatch(1);
        runs.set(0);
        List<RawClient> clients = new ArrayList<>();
        try {
            for (Request request : requests) {
                clients.add(RawClient.send(server.port(), request));
                assertThat(settled.tryAcquire(30, TimeUnit.SECONDS))
                        .as("a request is in a handler or waits")
                        .isTrue();
            }
            gate.countDown();
            List<String> answers = new ArrayList<>();
            for (RawClient client : clients) {
                Response response = client.response("GET");
                answers.add(response.status() + " " + response.body());
            }
            assertThat(answers).isEqualTo(expected);
            return runs.get();
        } finally {
            gate.countDown();
            for (RawClient client : clients) {
                client.close();
            }
            settled.drainPermits();
        }
    }

    /**
     * Sends two of each request in rounds. Each is to be answered as alone, and no two kinds alike, or a mix-up would not show.
     *
     * @return how often the handler ran in each round
     */
    List<Integer> roundsOfTwoEach(List<Request> kinds, int rounds) throws Exception {
        List<Request> requests = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (Request request : kinds) {
            String alone = alone(request);
            assertThat(expected).as("a set-up in which the answers differ").doesNotContain(alone);
            requests.addAll(List.of(request, request));
            expected.addAll(List.of(alone, alone));
        }
        List<Integer> runsOfRounds = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            runsOfRounds.add(round(requests, expected));
        }
        return runsOfRounds;
    }

    @Override
    public void close() {
        gate.countDown();
        server.close();
    }
}
