package io.github.collapseexecutor.http.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.call.FakeExchange.Answer;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** H38: a response that nobody else can get is handed over as it comes. */
class LoneResponseTests extends BlockingExchangesSuite {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    private static BlockingHttpCollapseExecutor fresh() {
        return new BlockingHttpCollapseExecutor(everything().build(), CollapseOptions.defaults());
    }

    /** A body that must not be read before its caller has the response. */
    private static InputStream unread() {
        return new ScriptedBody(() -> {
            throw new IOException("cut off");
        });
    }

    @Test
    void H38_aLoneCallersResponseIsHandedOverUnread() throws Exception {
        FakeExchange exchange = exchange(() -> new Answer(FakeResponse.of(200), unread()));
        Answer answer = fresh().execute(exchange);
        assertThat(answer).isSameAs(received(exchange));
        assertThat(answer.isClosed()).isFalse();
        assertThatExceptionOfType(IOException.class)
                .as("who reads only the status is not failed by a body that is cut off")
                .isThrownBy(answer::text)
                .withMessage("cut off");
    }

    /** As if no other rule of the adapter joined in flight. */
    @Test
    void H38_aLoneResponseOfAFreshRuleIsHandedOverUnreadBesideRulesThatJoinInFlight() throws Exception {
        CollapseRule fresh = CollapseRule.of(CollapsePolicy.strict(), "/p").joining(JoinMode.FRESH);
        CollapseRule other = CollapseRule.of(CollapsePolicy.strict(), "/**");
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                everything().rules(List.of(fresh, other)).build(), IN_FLIGHT);
        FakeExchange exchange = exchange(() -> new Answer(FakeResponse.of(200), unread()));
        assertThat(executor.execute(exchange)).isSameAs(received(exchange));
    }

    @Test
    void H38_aResponseThatOthersWaitForIsCollected() throws Exception {
        BlockingHttpCollapseExecutor executor =
                new BlockingHttpCollapseExecutor(everything().build(), ONE_AT_A_TIME);
        CountDownLatch ahead = new CountDownLatch(1);
        FakeExchange first = exchange(() -> {
            await(ahead);
            return Answer.of(FakeResponse.of(200), "first");
        });
        FakeExchange leading = exchange(FakeResponse.of(200), "shared");
        FakeExchange following = exchange(FakeResponse.of(200), "own");
        Caller<Answer> firstCaller = lead(executor, first);
        Caller<Answer> leader = follow(executor, leading);
        Caller<Answer> follower = follow(executor, following);
        ahead.countDown();
        assertThat(firstCaller.get()).isSameAs(received(first));
        assertThat(leader.get().text()).isEqualTo("shared");
        assertThat(follower.get().text()).isEqualTo("shared");
        assertThat(received(leading).isClosed()).isTrue();
    }

    @Test
    void H38_theBodyThatAFollowerLeftIsStreamedToItsLeader() throws Exception {
        BlockingHttpCollapseExecutor executor =
                new BlockingHttpCollapseExecutor(everything().build(), ONE_AT_A_TIME);
        CountDownLatch ahead = new CountDownLatch(1);
        FakeExchange first = exchange(() -> {
            await(ahead);
            return Answer.of(FakeResponse.of(200), "first");
        });
        FakeExchange leading = exchange(gated(() ->
                new Answer(FakeResponse.of(200), new SequenceInputStream(unread(), InputStream.nullInputStream()))));
        FakeExchange following = exchange(FakeResponse.of(200), "own");
        Caller<Answer> firstCaller = lead(executor, first);
        Caller<Answer> leader = follow(executor, leading);
        Caller<Answer> follower = follow(executor, following);
        ahead.countDown();
        assertThat(firstCaller.get()).isNotNull();
        leading.awaitSent();
        follower.thread().interrupt();
        assertThat(follower.failure()).isInstanceOf(IOException.class);
        gate.countDown();
        assertThat(leader.get()).isSameAs(received(leading));
    }

    @Test
    void H21_aLoneResponseThatOthersMayNotHaveIsRememberedAllTheSame() throws Exception {
        BlockingHttpCollapseExecutor executor = fresh();
        executor.execute(exchange(FakeResponse.of(200).with("Cache-Control", "no-store"), ""));
        FakeExchange one = exchange(gated(() -> Answer.of(FakeResponse.of(200).with("Cache-Control", "no-store"), "")));
        FakeExchange other =
                exchange(gated(() -> Answer.of(FakeResponse.of(200).with("Cache-Control", "no-store"), "")));
        Caller<Answer> first = lead(executor, one);
        Caller<Answer> second = lead(executor, other);
        gate.countDown();
        assertThat(first.get()).isNotNull();
        assertThat(second.get()).isNotNull();
    }

    @Test
    void H38_aLoneFutureIsCompletedAtItsHead() {
        FutureHttpCollapseExecutor executor =
                FutureHttpCollapseExecutor.ofClient(everything().build(), CollapseOptions.defaults());
        FakeFutureExchange exchange = new FakeFutureExchange(FakeRequest.get("http://a/p"));
        CompletableFuture<FakeFutureExchange.Answer> answer = executor.execute(exchange);
        FakeFutureExchange.Answer received = exchange.receive(FakeResponse.of(200), "never collected");
        assertThat(answer).isCompletedWithValue(received);
        assertThat(received.isClosed()).isFalse();
    }

    @Test
    void H39_aCloseThatFailsHidesNoFailureAndHoldsUpNobody() {
        List<FakeFutureExchange> exchanges = List.of(broken(), broken(), broken());
        FutureHttpCollapseExecutor executor = FutureHttpCollapseExecutor.ofClient(
                everything().onLeaderFailure(LeaderFailurePolicy.SHARE).build(), IN_FLIGHT);
        List<CompletableFuture<FakeFutureExchange.Answer>> answers =
                exchanges.stream().map(executor::execute).toList();
        exchanges.get(0).receive(FakeResponse.of(200), "");
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedExceptionally());
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(answers.get(0)::join)
                .havingCause()
                .withMessage("no body")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .satisfies(suppressed -> assertThat(suppressed).hasMessage("no close")));
    }

    private static FakeFutureExchange broken() {
        return new FakeFutureExchange(FakeRequest.get("http://a/p")) {
            @Override
            public CompletableFuture<BoundedBody<FakeFutureExchange.Answer>> collect(
                    FakeFutureExchange.Answer response, long limit) {
                throw new IllegalStateException("no body");
            }

            @Override
            public void close(FakeFutureExchange.Answer response) {
                throw new IllegalStateException("no close");
            }
        };
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
