package io.github.collapseexecutor.http.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.Warnings;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** H39: a response whose head fails when it is read, as that of a mock does, is for its own caller, untouched. */
class UnreadableHeadTests extends BlockingExchangesSuite {

    private static final FakeResponse UNREADABLE = FakeResponse.unreadable();

    @Test
    void H39_aBlockingCallerGetsItUntouched() throws Exception {
        try (Warnings warnings = new Warnings()) {
            FakeExchange exchange = exchange(UNREADABLE, "body");
            BlockingHttpCollapseExecutor executor = executor();
            assertThat(executor.execute(exchange)).isSameAs(received(exchange));
            assertThat(received(exchange).isClosed()).isFalse();
            assertThat(warnings.messages())
                    .containsExactly(
                            "Requests are not collapsed: the head of a response cannot be read, which fails with a "
                                    + "java.lang.IllegalStateException; only the request that was sent gets the response");
            FakeExchange passing = exchange(UNREADABLE, "body");
            assertThat(executor.execute(passing)).isSameAs(received(passing));
            FakeExchange write = new FakeExchange(
                    FakeRequest.of("POST", "http://a/p"), () -> FakeExchange.Answer.of(UNREADABLE, "body"));
            assertThat(executor.execute(write)).isSameAs(received(write));
            assertThat(warnings.messages()).hasSize(1);
        }
    }

    @Test
    void H39_followersOfSuchAResponseGoAlone() {
        try (Warnings warnings = new Warnings()) {
            FutureHttpCollapseExecutor executor =
                    FutureHttpCollapseExecutor.ofClient(everything().build(), IN_FLIGHT);
            List<FakeFutureExchange> exchanges = List.of(
                    new FakeFutureExchange(FakeRequest.get("http://a/p")),
                    new FakeFutureExchange(FakeRequest.get("http://a/p")));
            List<CompletableFuture<FakeFutureExchange.Answer>> answers =
                    exchanges.stream().map(executor::execute).toList();
            FakeFutureExchange.Answer own = exchanges.get(0).receive(UNREADABLE, "leader");
            assertThat(answers.get(0)).isCompletedWithValue(own);
            assertThat(exchanges.get(1).wasSent()).isTrue();
            FakeFutureExchange.Answer other = exchanges.get(1).receive(UNREADABLE, "follower");
            assertThat(answers.get(1)).isCompletedWithValue(other);
            assertThat(warnings.messages()).hasSize(1);
        }
    }
}
