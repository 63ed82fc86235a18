package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FakeFutureExchange.Answer;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Exchanges of which a test says what they do, and executors without a thread of their own. */
abstract class FutureExchangesFixture {

    static final FakeResponse OK = FakeResponse.of(200);

    static FakeFutureExchange exchange() {
        return new FakeFutureExchange(get("http://secret/p?secret").with("Cookie", "secret"));
    }

    static List<FakeFutureExchange> exchanges(int count) {
        List<FakeFutureExchange> exchanges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            exchanges.add(exchange());
        }
        return exchanges;
    }

    static FutureHttpCollapseExecutor executor() {
        return executor(everything());
    }

    static HttpCollapseOptions.Builder everything() {
        return BlockingExchangesSuite.everything();
    }

    static FutureHttpCollapseExecutor executor(HttpCollapseOptions.Builder http) {
        return FutureHttpCollapseExecutor.ofClient(http.build(), IN_FLIGHT);
    }

    static List<CompletableFuture<Answer>> execute(
            FutureHttpCollapseExecutor executor, List<FakeFutureExchange> exchanges) {
        return exchanges.stream().map(executor::execute).toList();
    }

    static Throwable failureOf(CompletableFuture<?> future) throws InterruptedException, TimeoutException {
        try {
            Object value = future.get(30, TimeUnit.SECONDS);
            throw new AssertionError("Expected a failure, got " + value);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
