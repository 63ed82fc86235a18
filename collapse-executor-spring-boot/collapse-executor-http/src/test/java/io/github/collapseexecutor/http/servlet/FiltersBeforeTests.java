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
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What filters before the collapsing one say about a response stays that of its own request. */
class FiltersBeforeTests {

    private static final CollapseOptions IN_FLIGHT =
            CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();

    // mutable, thread-safe
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private ScriptedServlet handler(Consumer<HttpServletResponse> head) {
        return new ScriptedServlet((request, response) -> {
            entered.countDown();
            await(released);
            head.accept(response);
            response.getWriter().write("body");
        });
    }

    /** The response of a leader, whose is the number 1, then those of its two followers, as they came. */
    private List<Response> responses(ServletServer.Make make, Consumer<HttpServletResponse> head) throws Exception {
        Filter before = (request, response, chain) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                HttpServletResponse own = (HttpServletResponse) response;
                int number = requests.incrementAndGet();
                own.setHeader("X-Request-Id", "number " + number);
                own.addHeader("Server-Timing", "before;desc=" + number);
                own.setHeader("Cache-Status", "before; hit; detail=" + number);
            }
            chain.doFilter(request, response);
        };
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .cacheStatus("app")
                .build();
        WaitingRequests waiting = new WaitingRequests();
        List<Filter> filters = List.of(waiting, before, WaitingRequests.asynchronous(options, IN_FLIGHT));
        Request request = Request.get(URI.create("http://localhost/a"));
        List<Response> responses = new ArrayList<>();
        try (ServletServer server = make.start(3, filters, handler(head));
                RawClient leader = RawClient.send(server.port(), request)) {
            assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
            try (RawClient second = RawClient.send(server.port(), request)) {
                waiting.await(1);
                try (RawClient third = RawClient.send(server.port(), request)) {
                    waiting.await(1);
                    released.countDown();
                    for (RawClient client : List.of(leader, second, third)) {
                        responses.add(client.response("GET"));
                    }
                }
            }
        } finally {
            released.countDown();
        }
        assertThat(responses).extracting(Response::body).containsOnly("body");
        return responses;
    }

    @ParameterizedTest
    @EnumSource
    void everyRequestKeepsItsOwnHeadersAndGetsThoseOfTheHandler(ServletServer.Make make) throws Exception {
        List<Response> responses = responses(make, response -> {
            response.addHeader("Server-Timing", "handler;dur=3");
            response.setHeader("X-Handler", "1");
        });
        for (int number = 1; number <= 3; number++) {
            Response response = responses.get(number - 1);
            assertThat(response.header("X-Request-Id")).containsExactly("number " + number);
            assertThat(response.header("Server-Timing")).containsExactly("before;desc=" + number, "handler;dur=3");
            assertThat(response.header("X-Handler")).containsExactly("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatTheHandlerPutsInItsPlaceIsReplacedForAll(ServletServer.Make make) throws Exception {
        assertThat(responses(make, response -> response.setHeader("X-Request-Id", "the handler's")))
                .allSatisfy(
                        response -> assertThat(response.header("X-Request-Id")).containsExactly("the handler's"));
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatTheHandlerResetsIsGoneForAll(ServletServer.Make make) throws Exception {
        assertThat(responses(make, HttpServletResponse::reset)).allSatisfy(response -> {
            assertThat(response.header("X-Request-Id")).isEmpty();
            assertThat(response.header("Server-Timing")).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void H32_cacheStatusIsAddedBehindThatOfOthers(ServletServer.Make make) throws Exception {
        List<Response> responses = responses(make, response -> {});
        assertThat(responses.get(0).header("Cache-Status")).containsExactly("before; hit; detail=1");
        for (int number = 2; number <= 3; number++) {
            assertThat(responses.get(number - 1).header("Cache-Status"))
                    .containsExactly("before; hit; detail=" + number, "app; fwd=uri-miss; collapsed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void H32_cacheStatusOfTheHandlerIsThereOnceBeforeWhatIsAdded(ServletServer.Make make) throws Exception {
        List<Response> responses = responses(make, response -> response.addHeader("Cache-Status", "handler; hit"));
        assertThat(responses.get(0).header("Cache-Status")).containsExactly("before; hit; detail=1", "handler; hit");
        for (int number = 2; number <= 3; number++) {
            assertThat(responses.get(number - 1).header("Cache-Status"))
                    .containsExactly("before; hit; detail=" + number, "handler; hit", "app; fwd=uri-miss; collapsed");
        }
    }
}
