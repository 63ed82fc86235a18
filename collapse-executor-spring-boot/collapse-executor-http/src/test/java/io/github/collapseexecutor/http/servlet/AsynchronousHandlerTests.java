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
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that go on when their thread has gone back to the container. */
class AsynchronousHandlerTests {

    private static final Request GET = Request.get(URI.create("http://localhost/a"));
    private static final Request POST = Request.of("POST", URI.create("http://localhost/a"));

    // mutable, thread-safe
    private final WaitingRequests waiting = new WaitingRequests();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch released = new CountDownLatch(1);
    // mutable, confined to the test
    private ServletServer server;

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
    }

    private void start(ServletServer.Make make, CollapseOptions core, Filter before, ScriptedServlet.Script script) {
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            entered.release();
            script.run(request, response);
        });
        server = make.start(4, List.of(waiting, before, WaitingRequests.asynchronous(options, core)), handler);
    }

    private void awaitHandler() throws InterruptedException {
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void H11_aReadAfterTheEndOfAChangeDoesNotJoinAReadDuringIt(ServletServer.Make make) throws Exception {
        CompletableFuture<AsyncContext> changing = new CompletableFuture<>();
        CountDownLatch changed = new CountDownLatch(1);
        Filter before = (request, response, chain) -> {
            chain.doFilter(request, response);
            if (((HttpServletRequest) request).getMethod().equals("POST")) {
                AsyncContext context = request.getAsyncContext();
                context.addListener(new AsyncEnd(changed::countDown)); // told behind the filter's own
                changing.complete(context);
            }
        };
        CollapseOptions inFlight =
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();
        start(make, inFlight, before, (request, response) -> {
            if (request.getMethod().equals("POST")) {
                request.startAsync();
            } else {
                await(released);
                response.getWriter().write("read");
            }
        });
        try (RawClient change = RawClient.send(server.port(), POST)) {
            awaitHandler();
            AsyncContext context = changing.get(30, TimeUnit.SECONDS);
            try (RawClient during = RawClient.send(server.port(), GET)) {
                awaitHandler();
                context.complete();
                assertThat(changed.await(30, TimeUnit.SECONDS)).isTrue();
                try (RawClient after = RawClient.send(server.port(), GET)) {
                    awaitHandler();
                    released.countDown();
                    assertThat(after.response("GET").body()).isEqualTo("read");
                }
                assertThat(during.response("GET").body()).isEqualTo("read");
            }
            assertThat(change.response("POST").status()).isEqualTo(200);
        }
    }

    /** As a controller of Spring MVC does whose result comes later and is then streamed. */
    @ParameterizedTest
    @EnumSource
    void H11_aChangeThatGoesOnAsynchronouslyTwiceHasAnEnd(ServletServer.Make make) throws Exception {
        CountDownLatch changed = new CountDownLatch(1);
        CollapseOptions inFlight =
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();
        Filter none = (request, response, chain) -> chain.doFilter(request, response);
        start(make, inFlight, none, (request, response) -> {
            if (request.getMethod().equals("POST")) {
                AsyncContext context = request.startAsync();
                if (request.getDispatcherType() == DispatcherType.REQUEST) {
                    context.dispatch();
                } else {
                    context.addListener(new AsyncEnd(changed::countDown)); // told behind the filter's own
                    context.complete();
                }
            } else {
                await(released);
                response.getWriter().write("read");
            }
        });
        try (RawClient change = RawClient.send(server.port(), POST)) {
            assertThat(change.response("POST").status()).isEqualTo(200);
            assertThat(changed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(entered.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
            waiting.await(1); // the change, which has given its thread back
        }
        try (RawClient first = RawClient.send(server.port(), GET)) {
            awaitHandler();
            try (RawClient second = RawClient.send(server.port(), GET)) {
                waiting.await(1);
                released.countDown();
                assertThat(second.response("GET").body()).isEqualTo("read");
            }
            assertThat(first.response("GET").body()).isEqualTo("read");
        }
        assertThat(entered.availablePermits()).as("runs beside the first").isZero();
    }

    /** A server sends what is flushed; the client goes on before the handler ends. */
    @ParameterizedTest
    @EnumSource
    void H11_aReadAfterTheResponseOfAChangeJoinsNoReadBeforeIt(ServletServer.Make make) throws Exception {
        CollapseOptions inFlight =
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();
        Filter none = (request, response, chain) -> chain.doFilter(request, response);
        start(make, inFlight, none, (request, response) -> {
            if (request.getMethod().equals("POST")) {
                response.setContentLength(7);
                response.getOutputStream().print("changed");
                response.flushBuffer();
                await(released);
            } else {
                await(released);
                response.getWriter().write("read");
            }
        });
        try (RawClient before = RawClient.send(server.port(), GET)) {
            awaitHandler();
            try (RawClient change = RawClient.send(server.port(), POST)) {
                awaitHandler();
                assertThat(change.response("POST").body()).isEqualTo("changed");
                try (RawClient after = RawClient.send(server.port(), GET)) {
                    awaitHandler();
                    released.countDown();
                    assertThat(after.response("GET").body()).isEqualTo("read");
                }
            }
            assertThat(before.response("GET").body()).isEqualTo("read");
        }
    }

    /** The second request has given its thread back for as long as it takes, and runs its handler in a dispatch. */
    @ParameterizedTest
    @EnumSource
    void aHandlerMayTakeAsLongAsTheContainerSaysHoweverLongItsRequestHasWaited(ServletServer.Make make)
            throws Exception {
        CollapseOptions inFlight = CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .maxWait(Duration.ofMinutes(10))
                .build();
        Filter none = (request, response, chain) -> chain.doFilter(request, response);
        start(make, inFlight, none, (request, response) -> {
            AsyncContext context = request.startAsync();
            await(released);
            response.setHeader("Cache-Control", "private");
            response.getWriter().write("time-out " + context.getTimeout());
            context.complete();
        });
        try (RawClient first = RawClient.send(server.port(), GET)) {
            awaitHandler();
            try (RawClient second = RawClient.send(server.port(), GET)) {
                waiting.await(1);
                released.countDown();
                assertThat(second.response("GET").body())
                        .isEqualTo(first.response("GET").body())
                        .isEqualTo("time-out 30000");
            }
        }
        awaitHandler(); // each had a handler of its own
    }
}
