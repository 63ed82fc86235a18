package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static io.github.collapseexecutor.http.fixture.Http2Client.ANN;
import static io.github.collapseexecutor.http.fixture.Http2Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Http2Client;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Over HTTP/2, nothing in the head of a request says whether a body of unknown length follows. */
class Http2BodyTests {

    // mutable, thread-safe
    private final WaitingRequests waiting = new WaitingRequests();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch released = new CountDownLatch(1);

    private ServletServer start() {
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/query")))
                .build();
        ScriptedServlet search = new ScriptedServlet((request, response) -> {
            if (request.getRequestURI().equals("/query")) {
                entered.release();
                ScriptedServlet.await(released);
            }
            byte[] query = request.getInputStream().readAllBytes();
            response.getWriter().write(request.getProtocol() + " found " + new String(query, StandardCharsets.UTF_8));
        });
        return ServletServer.http2(10, List.of(waiting, WaitingRequests.asynchronous(options, IN_FLIGHT)), search);
    }

    private void awaitHandler() throws InterruptedException {
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void H09_aBodyThatIsAnnouncedByItsTypeKeepsItsRequestApart() throws Exception {
        try (ServletServer server = start()) {
            Http2Client client = new Http2Client(server.port());
            CompletableFuture<String> ann = client.get("/query", ANN, "Content-Type", "application/json");
            awaitHandler();
            CompletableFuture<String> bob = client.get("/query", BOB, "Content-Type", "application/json");
            awaitHandler();
            assertOwnAnswers(ann, bob);
        } finally {
            released.countDown();
        }
    }

    @Test
    void H09_aBodyThatNothingAnnouncesIsAnsweredForItself() throws Exception {
        try (ServletServer server = start()) {
            Http2Client client = new Http2Client(server.port());
            CompletableFuture<String> ann = client.get("/query", ANN);
            awaitHandler();
            CompletableFuture<String> bob = client.get("/query", BOB);
            waiting.await(1);
            assertOwnAnswers(ann, bob);
        } finally {
            released.countDown();
        }
    }

    private void assertOwnAnswers(CompletableFuture<String> ann, CompletableFuture<String> bob) throws Exception {
        released.countDown();
        assertThat(ann.get(30, TimeUnit.SECONDS)).isEqualTo("HTTP/2.0 found " + ANN);
        assertThat(bob.get(30, TimeUnit.SECONDS)).isEqualTo("HTTP/2.0 found " + BOB);
    }
}
