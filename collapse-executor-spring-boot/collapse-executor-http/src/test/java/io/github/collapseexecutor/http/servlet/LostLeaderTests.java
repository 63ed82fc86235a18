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
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A parked request that is to run its handler for others, too, and is ended before the container dispatches it. */
class LostLeaderTests {

    private static final String OWN = "X-Own";

    // mutable, thread-safe
    private final WaitingRequests waiting = new WaitingRequests();
    private final Queue<AsyncContext> parked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<Runnable> held = new CompletableFuture<>();

    /** The request that came first leads the other: its dispatch waits until the test has ended it. */
    private void dispatch(Runnable dispatch) {
        if (!held.complete(dispatch)) {
            dispatch.run();
        }
    }

    private static RawClient send(ServletServer server, String own) throws Exception {
        return RawClient.send(
                server.port(), Request.get(URI.create("http://localhost/a")).with(OWN, own));
    }

    @ParameterizedTest
    @EnumSource
    void H23_anotherRunsItsHandlerInItsPlace(ServletServer.Make make) throws Exception {
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .build();
        Filter contexts = (request, response, chain) -> {
            chain.doFilter(request, response);
            if (request.isAsyncStarted()) {
                parked.add(request.getAsyncContext());
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
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            if (runs.incrementAndGet() == 1) {
                entered.countDown();
                await(released);
                response.setHeader("Vary", OWN); // so that the others, which are alike, form a group of their own
            }
            response.getWriter().write("body");
        });
        try (ServletServer server = make.start(4, List.of(waiting, contexts, collapsing), handler);
                RawClient first = send(server, "1")) {
            await(entered);
            try (RawClient lost = send(server, "2")) {
                waiting.await(1);
                try (RawClient other = send(server, "2")) {
                    waiting.await(1);
                    released.countDown();
                    assertThat(first.response("GET").body()).isEqualTo("body"); // the others have gathered again before
                    parked.remove().complete();
                    held.get(30, TimeUnit.SECONDS).run();
                    assertThat(other.response("GET").body()).isEqualTo("body");
                    assertThat(lost.response("GET").body()).isEmpty();
                }
            }
        } finally {
            released.countDown();
        }
        assertThat(runs).hasValue(2);
    }

    /** Its thread waits nowhere then, so that it must not be chosen to run the handler for others. */
    @ParameterizedTest
    @EnumSource
    void H39_aRequestThatCannotGiveItsThreadBackRunsNoHandlerForOthers(ServletServer.Make make) throws Exception {
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .build();
        CountDownLatch refused = new CountDownLatch(1);
        Filter refusing = (request, response, chain) -> {
            HttpServletRequest own = (HttpServletRequest) request;
            if (!"dead".equals(own.getHeader("Sec-Test"))) {
                chain.doFilter(request, response);
                return;
            }
            try {
                chain.doFilter(new NeverAsync(own), response);
            } finally {
                refused.countDown();
            }
        };
        Filter collapsing = WaitingRequests.asynchronous(
                options,
                CollapseOptions.builder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofMinutes(10))
                        .build());
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ERROR) {
                return;
            }
            if (runs.incrementAndGet() == 1) {
                entered.countDown();
                await(released);
                response.setHeader("Vary", OWN); // so that the others, which are alike, form a group of their own
            }
            response.getWriter().write("body");
        });
        Request alike = Request.get(URI.create("http://localhost/a")).with(OWN, "2");
        try (ServletServer server = make.start(4, List.of(waiting, refusing, collapsing), handler);
                RawClient first = send(server, "1")) {
            await(entered);
            try (RawClient dead = RawClient.send(server.port(), alike.with("Sec-Test", "dead"))) {
                await(refused);
                assertThat(dead.response("GET").status()).isEqualTo(500);
                try (RawClient other = RawClient.send(server.port(), alike)) {
                    waiting.await(1);
                    released.countDown();
                    assertThat(first.response("GET").body()).isEqualTo("body");
                    assertThat(other.response("GET").body()).isEqualTo("body");
                }
            }
        } finally {
            released.countDown();
        }
        assertThat(runs).hasValue(2);
    }

    /** A request of a filter that says it may go on asynchronously, and then must not. */
    private static final class NeverAsync extends HttpServletRequestWrapper {

        NeverAsync(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            throw new IllegalStateException("not here");
        }
    }
}
