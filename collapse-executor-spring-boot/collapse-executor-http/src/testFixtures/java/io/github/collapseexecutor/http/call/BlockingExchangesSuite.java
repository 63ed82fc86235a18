package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.FakeRequest.get;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.call.FakeExchange.Answer;
import io.github.collapseexecutor.http.call.FakeExchange.Sending;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** An executor, callers, and exchanges that a test holds at a gate. */
abstract class BlockingExchangesSuite {

    static final CollapseOptions IN_FLIGHT = Callers.IN_FLIGHT;

    final Callers callers = new Callers();
    final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        callers.close();
    }

    static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
    }

    static BlockingHttpCollapseExecutor executor() {
        return new BlockingHttpCollapseExecutor(everything().build(), IN_FLIGHT);
    }

    static BlockingHttpCollapseExecutor executor(LeaderFailurePolicy choice) {
        return new BlockingHttpCollapseExecutor(
                everything().onLeaderFailure(choice).build(), IN_FLIGHT);
    }

    static FakeExchange exchange(Sending sending) {
        return new FakeExchange(get("http://secret/p?secret").with("Cookie", "secret"), sending);
    }

    static FakeExchange exchange(FakeResponse head, String body) {
        return exchange(() -> Answer.of(head, body));
    }

    static FakeExchange failing(IOException failure) {
        return exchange(() -> {
            throw failure;
        });
    }

    /** Sends only after the gate was opened. */
    Sending gated(Sending sending) {
        return () -> {
            awaitGate();
            return sending.send();
        };
    }

    void awaitGate() throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in the transport", e);
        }
    }

    Caller<Answer> start(BlockingHttpCollapseExecutor executor, FakeExchange exchange) {
        return callers.start(() -> executor.execute(exchange));
    }

    Caller<Answer> lead(BlockingHttpCollapseExecutor executor, FakeExchange exchange) throws InterruptedException {
        Caller<Answer> leader = start(executor, exchange);
        exchange.awaitSent();
        return leader;
    }

    Caller<Answer> follow(BlockingHttpCollapseExecutor executor, FakeExchange exchange) {
        Caller<Answer> follower = start(executor, exchange);
        follower.awaitJoined();
        return follower;
    }

    static Answer received(FakeExchange exchange) {
        return Objects.requireNonNull(exchange.received());
    }
}
