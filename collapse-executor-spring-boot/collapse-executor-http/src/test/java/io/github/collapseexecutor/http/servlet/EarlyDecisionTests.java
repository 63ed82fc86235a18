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
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** It is decided what becomes of a request while its thread is about to give it back to the container. */
class EarlyDecisionTests {

    // mutable, thread-safe
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch leaderEntered = new CountDownLatch(1);
    private final CountDownLatch followerParks = new CountDownLatch(1);
    private final CountDownLatch leaderEnded = new CountDownLatch(1);

    private void awaitDecision(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest slow = new HttpServletRequestWrapper((HttpServletRequest) request) {
            @Override
            public AsyncContext startAsync(ServletRequest parking, ServletResponse own) {
                AsyncContext context = super.startAsync(parking, own);
                followerParks.countDown();
                await(leaderEnded);
                return context;
            }
        };
        chain.doFilter(slow, response);
        if (request.getDispatcherType() == DispatcherType.REQUEST && !request.isAsyncStarted()) {
            leaderEnded.countDown();
        }
    }

    private ScriptedServlet handler(boolean shareable) {
        return new ScriptedServlet((request, response) -> {
            if (runs.incrementAndGet() == 1) {
                leaderEntered.countDown();
                await(followerParks);
            }
            response.setHeader("Cache-Control", shareable ? "public" : "private");
            response.getWriter().write("body");
        });
    }

    @ParameterizedTest
    @CsvSource({"TOMCAT, true", "TOMCAT, false", "JETTY, true", "JETTY, false"})
    void aRequestThatIsDecidedAboutBeforeItIsParkedIsDispatchedAllTheSame(ServletServer.Make make, boolean shareable)
            throws Exception {
        Filter collapsing = WaitingRequests.asynchronous(
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .build(),
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        Request request = Request.get(URI.create("http://localhost/a"));
        try (ServletServer server = make.start(4, List.of(this::awaitDecision, collapsing), handler(shareable));
                RawClient leader = RawClient.send(server.port(), request)) {
            await(leaderEntered);
            try (RawClient follower = RawClient.send(server.port(), request)) {
                assertThat(follower.response("GET").body()).isEqualTo("body");
            }
            assertThat(leader.response("GET").body()).isEqualTo("body");
            assertThat(runs).hasValue(shareable ? 1 : 2);
        }
    }
}
