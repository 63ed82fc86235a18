package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.ServletOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a handler notices of a decision that another thread makes. */
class ResponseBufferTests {

    private static final String PART = "0123456789".repeat(10_000);

    private enum Decision {
        SHARED,
        TOO_LARGE,
        NOT_SHARED
    }

    private static void decide(Decision decision, ResponseBuffer buffer) {
        switch (decision) {
            case SHARED -> {
                CompletableFuture<Void> unused =
                        buffer.sharing().gather(Integer.MAX_VALUE).thenRun(buffer.sharing()::pass);
            }
            case TOO_LARGE -> {
                assertThat(buffer.sharing().gather(1)).isDone();
                buffer.sharing().pass();
            }
            case NOT_SHARED -> buffer.sharing().pass();
        }
    }

    /** A handler that is in a dispatch of the container and says nothing about its response. */
    private static class SilentHandler implements ResponseBuffer.Handler {

        @Override
        public ServletHandlerHead finalHead(@Nullable Throwable thrown) {
            return ServletHandlerHead.ofClientOnly();
        }

        @Override
        public boolean showsMoreThan(ServletHandlerHead head) {
            return false;
        }

        @Override
        public ServletHandlerHead.LeftAttributes leftAttributes() {
            return new ServletHandlerHead.LeftAttributes(Map.of());
        }

        @Override
        public boolean isOfSomebody() {
            return false;
        }

        @Override
        public boolean isInDispatch() {
            return true;
        }

        @Override
        public boolean isIncluded() {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TOMCAT, SHARED",
        "TOMCAT, TOO_LARGE",
        "TOMCAT, NOT_SHARED",
        "JETTY, SHARED",
        "JETTY, TOO_LARGE",
        "JETTY, NOT_SHARED"
    })
    void aHandlerThatWaitsForADecisionGoesOnAtOnceWhenItIsMade(ServletServer.Make make, Decision decision)
            throws Exception {
        CompletableFuture<@Nullable Void> deciding = new CompletableFuture<>();
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            Thread self = Thread.currentThread();
            CompletableFuture<ServletAnswer> received = new CompletableFuture<>();
            ServletCapturedResponse captured =
                    new ServletCapturedResponse(response, new SilentHandler(), new CompletableFuture<>());
            ResponseBuffer buffer =
                    new ResponseBuffer(response, captured, new SilentHandler(), received, Duration.ofMinutes(10));
            CompletableFuture<Void> unused =
                    received.thenRun(() -> decideWhenItWaits(decision, buffer, self, deciding));
            ServletOutputStream out = buffer.openStream();
            for (int i = 0; i < 3; i++) {
                out.print(PART);
            }
            buffer.end(null);
        });
        try (ServletServer server = make.start(2, List.of(), handler)) {
            // the client gives up long before the handler would go on by itself
            assertThat(RawClient.call(server.port(), Request.get(URI.create("http://localhost/a")))
                            .body())
                    .isEqualTo(PART.repeat(3));
            assertThat(deciding).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    /** A handler behind the wrapper of a filter that fails when it is asked for the user or the session. */
    private static final class HandlerWithoutAHead extends SilentHandler {

        @Override
        public ServletHandlerHead finalHead(@Nullable Throwable thrown) {
            throw new IllegalStateException("the wrapper of a filter fails");
        }
    }

    /** A handler behind the wrapper of a filter that fails when it is asked for the attributes. */
    private static final class HandlerWithoutAttributes extends SilentHandler {

        @Override
        public ServletHandlerHead.LeftAttributes leftAttributes() {
            throw new IllegalStateException("the wrapper of a filter fails");
        }
    }

    private record Ended(ServletHandlerHead head, String received) {}

    /** What the others learn of a response, and its own client receives, whose handler ends as a test says. */
    private static Ended ended(ServletServer.Make make, ResponseBuffer.Handler handler, boolean flushes)
            throws Exception {
        CompletableFuture<BoundedBody<ServletAnswer>> collected = new CompletableFuture<>();
        CompletableFuture<ServletHandlerHead> head = new CompletableFuture<>();
        ScriptedServlet servlet = new ScriptedServlet((request, response) -> {
            CompletableFuture<ServletAnswer> received = new CompletableFuture<>();
            ServletCapturedResponse captured =
                    new ServletCapturedResponse(response, handler, new CompletableFuture<>());
            ResponseBuffer buffer = new ResponseBuffer(response, captured, handler, received, Duration.ofSeconds(1));
            CompletableFuture<Void> unused = received.thenAccept(answer -> {
                head.complete(buffer.sharing().head());
                CompletableFuture<Void> unusedToo = buffer.sharing()
                        .gather(1000)
                        .thenAccept(body -> {
                            collected.complete(body);
                            buffer.sharing().pass();
                        });
            });
            buffer.openStream().print("body");
            if (flushes) {
                buffer.flushResponse();
            }
            buffer.end(null);
        });
        try (ServletServer server = make.start(2, List.of(), servlet)) {
            Response own = RawClient.call(server.port(), Request.get(URI.create("http://localhost/a")));
            assertThat(collected).as("what the others wait for").succeedsWithin(Duration.ofSeconds(30));
            return new Ended(head.join(), own.body());
        }
    }

    @ParameterizedTest
    @CsvSource({"TOMCAT, false", "TOMCAT, true", "JETTY, false", "JETTY, true"})
    void H39_theOthersGoOnIfTheAttributesOfTheLeaderCannotBeRead(ServletServer.Make make, boolean flushes)
            throws Exception {
        Ended ended = ended(make, new HandlerWithoutAttributes(), flushes);
        assertThat(ended.received()).isEqualTo("body");
    }

    @ParameterizedTest
    @CsvSource({"TOMCAT, false", "TOMCAT, true", "JETTY, false", "JETTY, true"})
    void H39_theOthersGoOnIfTheHeadOfTheLeaderCannotBeRead(ServletServer.Make make, boolean flushes) throws Exception {
        Ended ended = ended(make, new HandlerWithoutAHead(), flushes);
        assertThat(ended.head()).extracting(ServletHandlerHead::forLeaderOnly).isEqualTo(true);
        assertThat(ended.received()).isEqualTo("body");
    }

    /** The decision comes when the handler waits for it already. */
    private static void decideWhenItWaits(
            Decision decision, ResponseBuffer buffer, Thread handler, CompletableFuture<@Nullable Void> deciding) {
        Thread decider = new Thread(() -> {
            while (handler.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(100_000);
            }
            try {
                decide(decision, buffer);
                deciding.complete(null);
            } catch (Throwable failure) { // of an assertion, which nobody would see on this thread
                deciding.completeExceptionally(failure);
            }
        });
        decider.setDaemon(true);
        decider.start();
    }
}
