package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server does not let anybody notice of collapsing, and what it does not let anybody switch off. */
class ServerTransparencyTests {

    private static final HttpCollapseOptions EVERYTHING = HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
            .build();

    private static final int CALLERS = 5;

    private static Request request(String method) {
        return Request.of(method, URI.create("http://localhost/a"));
    }

    @ParameterizedTest
    @EnumSource
    void H09_javasHttpClientInItsDefaultModeCollapses(ServletServer.Make make) throws Exception {
        WaitingRequests waiting = new WaitingRequests();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger offers = new AtomicInteger();
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            runs.incrementAndGet();
            if ("h2c".equals(request.getHeader("Upgrade"))) {
                offers.incrementAndGet();
            }
            entered.countDown();
            ScriptedServlet.await(gate);
            response.getWriter().write("body");
        });
        try (ServletServer server =
                make.start(10, List.of(waiting, WaitingRequests.asynchronous(EVERYTHING, IN_FLIGHT)), handler)) {
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/a"))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
            responses.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 1; i < CALLERS; i++) {
                responses.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            }
            waiting.await(CALLERS - 1);
            gate.countDown();
            for (CompletableFuture<HttpResponse<String>> response : responses) {
                assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("body");
            }
        } finally {
            gate.countDown();
        }
        assertThat(runs).hasValue(1);
        assertThat(offers).as("the client offers HTTP/2").hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void H11_writesThatAreRefusedDoNotSwitchCollapsingOff(ServletServer.Make make) throws Exception {
        WaitingRequests waiting = new WaitingRequests();
        CountDownLatch gate = new CountDownLatch(1);
        Semaphore entered = new Semaphore(0);
        AtomicInteger runs = new AtomicInteger();
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ERROR) {
                return;
            }
            if (!request.getMethod().equals("GET")) {
                response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
                return;
            }
            runs.incrementAndGet();
            entered.release();
            ScriptedServlet.await(gate);
            response.getWriter().write("body");
        });
        try (ServletServer server =
                make.start(10, List.of(waiting, WaitingRequests.asynchronous(EVERYTHING, IN_FLIGHT)), handler)) {
            List<RawClient> readers = new ArrayList<>();
            readers.add(RawClient.send(server.port(), request("GET")));
            assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 1; i < CALLERS; i++) {
                assertThat(RawClient.call(server.port(), request("POST")).status())
                        .isEqualTo(405);
                waiting.awaitLatestLeft();
                readers.add(RawClient.send(server.port(), request("GET")));
                waiting.await(1);
            }
            gate.countDown();
            assertAnswered(readers, "body");
        } finally {
            gate.countDown();
        }
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void H11_aWriteThatThrowsMayHaveChangedSomething(ServletServer.Make make) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Semaphore entered = new Semaphore(0);
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ERROR) {
                return;
            }
            if (!request.getMethod().equals("GET")) {
                throw new IOException("written, then failed");
            }
            entered.release();
            ScriptedServlet.await(gate);
            response.getWriter().write("body");
        });
        try (ServletServer server =
                make.start(10, List.of(WaitingRequests.asynchronous(EVERYTHING, IN_FLIGHT)), handler)) {
            List<RawClient> readers = new ArrayList<>();
            readers.add(RawClient.send(server.port(), request("GET")));
            assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            assertThat(RawClient.call(server.port(), request("POST")).status()).isEqualTo(500);
            readers.add(RawClient.send(server.port(), request("GET")));
            assertThat(entered.tryAcquire(30, TimeUnit.SECONDS))
                    .as("the second reader runs the handler itself")
                    .isTrue();
            gate.countDown();
            assertAnswered(readers, "body");
        } finally {
            gate.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void H38_aLoneClientGetsWhatItsHandlerHasWrittenBeforeTheHandlerEnds(ServletServer.Make make) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        String part = "0123456789".repeat(10_000);
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            response.setContentType("application/json");
            response.getWriter().write(part);
            ScriptedServlet.await(gate);
            response.getWriter().write("end");
        });
        try (ServletServer server = make.start(
                        10, List.of(WaitingRequests.asynchronous(EVERYTHING, CollapseOptions.defaults())), handler);
                RawClient client = RawClient.send(server.port(), request("GET"))) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.read(10_000)).contains("0123456789");
            gate.countDown();
        } finally {
            gate.countDown();
        }
    }

    private static void assertAnswered(List<RawClient> clients, String body) throws IOException {
        for (RawClient client : clients) {
            try (client) {
                assertThat(client.response("GET").body()).isEqualTo(body);
            }
        }
    }
}
