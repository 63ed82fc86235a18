package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many requests wait for one handler, and hold none of the few threads: as many as {@code http.followers} says, thousands in the profile {@code
 * proofs}.
 */
class ManyFollowersTests {

    private static final int FOLLOWERS = Integer.getInteger("http.followers", 300);
    private static final int THREADS = 16;

    private static final HttpCollapseOptions HTTP = HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
            .build();
    private static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .maxPending(CollapseOptions.UNLIMITED)
            .build();

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    private final class Held extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            runs.incrementAndGet();
            try {
                if (request.getRequestURI().equals("/held")) {
                    release.await();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.setContentType("text/plain");
            response.getWriter().write("answer to " + request.getRequestURI());
        }
    }

    @ParameterizedTest
    @EnumSource
    void allGetTheAnswerAndOthersAreServedMeanwhile(ServletServer.Make make) throws Exception {
        if (!ServersOfThisLine.include(make)) {
            return; // the other line starts no other server of this make
        }
        WaitingRequests waiting = new WaitingRequests();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (ServletServer server =
                make.start(THREADS, List.of(waiting, WaitingRequests.asynchronous(HTTP, IN_FLIGHT)), new Held())) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < FOLLOWERS; i++) {
                answers.add(client.sendAsync(request(server, "/held"), BodyHandlers.ofString()));
                if (i % 200 == 199) { // or the server's queue of connections overflows
                    await(waiting, i);
                }
            }
            await(waiting, FOLLOWERS - 1);
            assertThat(client.send(request(server, "/other"), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("answer to /other");
            release.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                HttpResponse<String> response = answer.get(1, TimeUnit.MINUTES);
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("answer to /held");
            }
            assertThat(runs).hasValue(2);
        }
    }

    private static void await(WaitingRequests waiting, int parked) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(waiting::parked, now -> now >= parked);
    }

    private static HttpRequest request(ServletServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .timeout(Duration.ofMinutes(2))
                .build();
    }
}
