package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.servlet.ScriptedServlet.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A handler is faster than the thread that started it, which is held up before it can decide who may have the response: the
 * handler waits a while, then its own client gets the response and nobody else does.
 */
class LateDecisionTests {

    private static final String OWN = "X-Own";
    private static final String SHORT = "body";
    private static final byte[] LONG = "0123456789".repeat(50_000).getBytes(StandardCharsets.UTF_8);
    private static final int PART = 50_000;

    // mutable, thread-safe
    private final WaitingRequests waiting = new WaitingRequests();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch firstReleased = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicBoolean heldUp = new AtomicBoolean();
    private final CountDownLatch leaderEnded = new CountDownLatch(1);
    private volatile boolean decidesLate;
    private final List<RawClient> clients = new ArrayList<>();
    // mutable, confined to the test
    private ServletServer server;

    @AfterEach
    void stop() throws IOException {
        firstReleased.countDown();
        leaderEnded.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    private void start(ServletServer.Make make, ScriptedServlet.Script script) {
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .build();
        Filter ends = (request, response, chain) -> {
            chain.doFilter(request, response);
            if (request.getDispatcherType() == DispatcherType.ASYNC && !request.isAsyncStarted()) {
                leaderEnded.countDown();
            }
        };
        Filter collapsing = CollapseServletFilter.builder(options)
                .core(CollapseOptions.builder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofMinutes(10))
                        .build())
                .waiting(FollowerWaiting.ASYNC)
                .dispatcher(this::dispatch)
                .build();
        server = make.start(4, List.of(waiting, ends, collapsing), handler(script));
    }

    /** The first request to be dispatched leads the others; who starts its handler does nothing more until that has ended. */
    private void dispatch(Runnable dispatch) {
        dispatch.run();
        if (heldUp.compareAndSet(false, true)) {
            await(leaderEnded);
            decidesLate = true;
        }
    }

    private ScriptedServlet handler(ScriptedServlet.Script script) {
        return new ScriptedServlet((request, response) -> {
            boolean first = runs.incrementAndGet() == 1;
            entered.release();
            if (first) {
                await(firstReleased);
                response.setHeader("Vary", OWN);
            }
            script.run(request, response);
        });
    }

    /**
     * One request is at its handler; two wait for its end. Its response is not for them, because of a header that they have in
     * common, and so one of them leads the other.
     */
    private List<Response> responses() throws Exception {
        clients.add(send("1"));
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        clients.add(send("2"));
        clients.add(send("2"));
        waiting.await(2);
        firstReleased.countDown();
        List<Response> responses = new ArrayList<>();
        for (RawClient client : clients) {
            responses.add(client.response("GET"));
        }
        assertThat(decidesLate).isTrue();
        return responses;
    }

    private RawClient send(String own) throws IOException {
        Request request = Request.get(URI.create("http://localhost/a")).with(OWN, own);
        return RawClient.send(server.port(), request);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsAnsweredWithWhatAHandlerHasLeftOfAResponseThatHasPassed(ServletServer.Make make) throws Exception {
        start(make, (request, response) -> response.getOutputStream().print(SHORT));
        assertThat(responses()).extracting(Response::body).containsOnly("body");
        assertThat(runs).hasValue(3);
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerWithMoreToWriteWaitsForTheDecisionInsteadOfBeingHeldInMemory(ServletServer.Make make)
            throws Exception {
        List<Long> nanos = new ArrayList<>();
        start(make, (request, response) -> {
            long began = System.nanoTime();
            writeParts(response);
            synchronized (nanos) {
                nanos.add(System.nanoTime() - began);
            }
        });
        String whole = new String(LONG, StandardCharsets.UTF_8);
        assertThat(responses())
                .extracting(response -> whole.equals(response.body()))
                .containsOnly(true);
        assertThat(runs).hasValue(3);
        synchronized (nanos) {
            assertThat(nanos).anyMatch(taken -> taken >= SharingState.LONGEST_DECISION.toNanos());
        }
    }

    private static void writeParts(HttpServletResponse response) throws IOException {
        for (int i = 0; i < LONG.length; i += PART) {
            response.getOutputStream().write(LONG, i, PART);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobodyWaitsForTheEndOfAResponseThatPassesAlready(ServletServer.Make make) throws Exception {
        CountDownLatch thirdEntered = new CountDownLatch(1);
        start(make, (request, response) -> {
            writeParts(response);
            switch (runs.get()) {
                case 2 -> {
                    leaderEnded.countDown(); // not yet, but the decision is made now
                    await(thirdEntered);
                }
                case 3 -> thirdEntered.countDown();
                default -> {}
            }
        });
        String whole = new String(LONG, StandardCharsets.UTF_8);
        assertThat(responses())
                .extracting(response -> whole.equals(response.body()))
                .containsOnly(true);
        assertThat(thirdEntered.getCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatIsWrittenWithoutBlockingIsNotSharedByALateDecision(ServletServer.Make make) throws Exception {
        start(
                make,
                (request, response) ->
                        ScriptedServlet.writeWithoutBlocking(request, response, SHORT, leaderEnded::countDown));
        assertThat(responses()).extracting(Response::body).containsOnly("body");
        assertThat(runs).hasValue(3);
    }
}
