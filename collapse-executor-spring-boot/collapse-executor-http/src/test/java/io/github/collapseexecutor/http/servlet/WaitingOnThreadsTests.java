package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static io.github.collapseexecutor.http.servlet.ScriptedServlet.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Followers that wait on threads of the container ({@link FollowerWaiting#BLOCK}). */
class WaitingOnThreadsTests {

    private static final int FOLLOWERS = 8;
    private static final int LARGE = 5 << 20;
    /** More than the sockets on the way to a client that does not read hold. */
    private static final int SHARED = 16 << 20;

    // mutable, thread-safe
    private final WaitingRequests waiting = new WaitingRequests();
    private final Queue<Thread> arrived = new ConcurrentLinkedQueue<>();
    private final Queue<Thread> left = new ConcurrentLinkedQueue<>();
    private final Semaphore entered = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<RawClient> clients = new ArrayList<>();
    // mutable, confined to the test
    private ServletServer server;

    @AfterEach
    void stop() throws IOException {
        released.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    private void start(ServletServer.Make make, int threads, ScriptedServlet.Script script) {
        start(make, threads, HttpCollapseOptions.forPaths("/**"), script);
    }

    private void start(
            ServletServer.Make make, int threads, HttpCollapseOptions options, ScriptedServlet.Script script) {
        Filter threadsOf = (request, response, chain) -> {
            arrived.add(Thread.currentThread());
            try {
                chain.doFilter(request, response);
            } finally {
                left.add(Thread.currentThread());
            }
        };
        Filter collapsing = new CollapseServletFilter(options, IN_FLIGHT);
        server = make.start(
                threads, List.of(waiting, threadsOf, collapsing), new ScriptedServlet((request, response) -> {
                    if (request.getRequestURI().equals("/error")) {
                        response.getWriter().write("error page");
                        return;
                    }
                    boolean first = runs.incrementAndGet() == 1;
                    entered.release();
                    if (first) {
                        await(released);
                    }
                    script.run(request, response);
                }));
    }

    private RawClient send() throws IOException {
        RawClient client = RawClient.send(server.port(), Request.get(URI.create("http://localhost/a")));
        clients.add(client);
        return client;
    }

    /** A leader whose handler is held, and followers that wait. */
    private void gather() throws Exception {
        send();
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < FOLLOWERS; i++) {
            send();
        }
        waiting.await(FOLLOWERS);
    }

    private List<Response> responses() throws IOException {
        released.countDown();
        List<Response> responses = new ArrayList<>();
        for (RawClient client : clients) {
            responses.add(client.response("GET"));
        }
        return responses;
    }

    @ParameterizedTest
    @EnumSource
    void H37_aFollowerIsAnsweredOnTheThreadThatItCameOnAndPassesItsFiltersOnce(ServletServer.Make make)
            throws Exception {
        start(
                make,
                2 + FOLLOWERS,
                (request, response) ->
                        response.getWriter().write(request.getDispatcherType().name()));
        gather();
        assertThat(responses()).extracting(Response::body).containsOnly("REQUEST");
        assertThat(runs).hasValue(1);
        assertThat(arrived).hasSize(1 + FOLLOWERS);
        assertThat(left).containsExactlyInAnyOrderElementsOf(arrived);
    }

    @ParameterizedTest
    @EnumSource
    void H37_aFollowerWhoseLeadersResponseIsNotForItRunsItsHandlerOnItsOwnThread(ServletServer.Make make)
            throws Exception {
        start(make, 2 + FOLLOWERS, (request, response) -> {
            response.setHeader("Cache-Control", "no-store");
            response.getWriter().write(request.getDispatcherType().name());
        });
        gather();
        assertThat(responses()).extracting(Response::body).containsOnly("REQUEST");
        assertThat(runs).hasValue(1 + FOLLOWERS);
    }

    /**
     * Followers hold all threads but the leader's, and the next one is to have that as soon as the leader goes on without it: a
     * leader that they waited for would never get a thread to be dispatched to.
     */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatGoesOnAsynchronouslyIsNotWaitedForByThreadsThatItNeeds(ServletServer.Make make) throws Exception {
        start(make, 1 + FOLLOWERS, (request, response) -> {
            if (request.getAttribute("again") != null) {
                response.getWriter().write("dispatched");
                return;
            }
            request.setAttribute("again", true);
            AsyncContext context = request.startAsync();
            new Thread(() -> {
                        awaitArrivals(2 + FOLLOWERS);
                        context.dispatch();
                    })
                    .start();
        });
        gather();
        send();
        assertThat(responses()).extracting(Response::body).containsOnly("dispatched");
    }

    private void awaitArrivals(int count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (arrived.size() < count && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(200_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFollowerWhoseThreadIsInterruptedLeavesAndHarmsNobody(ServletServer.Make make) throws Exception {
        start(make, 2 + FOLLOWERS, (request, response) -> response.getWriter().write("body"));
        gather();
        Thread interrupted =
                arrived.stream().filter(WaitingRequests::areOn).findFirst().orElseThrow();
        interrupted.interrupt();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!left.contains(interrupted)) {
            assertThat(System.nanoTime() - deadline).as("it has left").isNegative();
            LockSupport.parkNanos(200_000);
        }
        released.countDown();
        List<Integer> statuses = new ArrayList<>();
        for (RawClient client : clients) {
            statuses.add(statusOf(client));
        }
        assertThat(statuses).filteredOn(status -> status == 200).hasSize(FOLLOWERS);
        assertThat(statuses).contains(500);
        assertThat(runs).hasValue(1);
    }

    /** Tomcat cannot write on a thread whose interrupt status is set, and closes the connection. */
    private static int statusOf(RawClient client) throws IOException {
        try {
            return client.response("GET").status();
        } catch (EOFException closed) {
            return 500;
        }
    }

    @ParameterizedTest
    @EnumSource
    void H27_aLeaderWhoseClientDoesNotReadHoldsUpNobody(ServletServer.Make make) throws Exception {
        byte[] part = "0123456789abcdef".repeat(1024).getBytes(StandardCharsets.US_ASCII);
        start(make, 2 + FOLLOWERS, (request, response) -> {
            for (int i = 0; i < LARGE; i += part.length) {
                response.getOutputStream().write(part);
            }
        });
        gather();
        released.countDown();
        for (RawClient follower : clients.subList(1, clients.size())) { // the leader's client reads nothing
            assertThat(follower.response("GET").body()).hasSize(LARGE);
        }
        assertThat(runs).hasValue(1 + FOLLOWERS);
    }

    /** They have the whole response before its own client, which reads nothing, gets the first byte. */
    @ParameterizedTest
    @EnumSource
    void H27_followersAreAnsweredBeforeALeaderWhoseClientDoesNotRead(ServletServer.Make make) throws Exception {
        byte[] body = "0123456789abcdef".repeat(SHARED / 16).getBytes(StandardCharsets.US_ASCII);
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .maxBodySize(SHARED)
                .build();
        start(
                make,
                2 + FOLLOWERS,
                options,
                (request, response) -> response.getOutputStream().write(body));
        gather();
        released.countDown();
        for (RawClient follower : clients.subList(1, clients.size())) {
            assertThat(follower.response("GET").body()).hasSize(SHARED);
        }
        assertThat(runs).hasValue(1);
    }
}
