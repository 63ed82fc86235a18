package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.TestClient.Request;
import jakarta.servlet.ServletOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a handler notices of a decision that another thread makes. */
class CapturedBodyTests {

    private static final String PART = "0123456789".repeat(10_000);

    private enum Decision {
        SHARED,
        TOO_LARGE,
        NOT_SHARED
    }

    private static void decide(Decision decision, CapturedBody body) {
        if (decision != Decision.NOT_SHARED) {
            boolean shared = decision == Decision.SHARED;
            assertThat(body.gather(shared ? Integer.MAX_VALUE : 1))
                    .isEqualTo(shared ? CapturedBody.Found.TO_COME : CapturedBody.Found.OPEN);
        }
        if (decision != Decision.SHARED) {
            body.pass();
        }
    }

    /** Whoever decides does so when the handler waits for it already. */
    private static final class LateOwner implements CapturedBody.Owner {

        private final Thread handler = Thread.currentThread();
        private final Decision decision;
        private volatile CapturedBody body;

        LateOwner(Decision decision) {
            this.decision = decision;
        }

        @Override
        public void headIsFinal() {
            Thread decider = new Thread(() -> {
                while (handler.getState() != Thread.State.TIMED_WAITING) {
                    LockSupport.parkNanos(100_000);
                }
                decide(decision, body);
            });
            decider.setDaemon(true);
            decider.start();
        }

        @Override
        public void bodyIsOpen() {}

        @Override
        public boolean isInDispatch() {
            return true;
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
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            LateOwner owner = new LateOwner(decision);
            CapturedBody body = new CapturedBody(response, owner, Duration.ofMinutes(10));
            owner.body = body;
            ServletOutputStream out = body.openStream();
            for (int i = 0; i < 3; i++) {
                out.print(PART);
            }
            body.end();
            body.pass();
        });
        try (ServletServer server = make.start(2, List.of(), handler)) {
            // the client gives up long before the handler would go on by itself
            assertThat(RawClient.call(server.port(), Request.get(URI.create("http://localhost/a")))
                            .body())
                    .isEqualTo(PART.repeat(3));
        }
    }
}
