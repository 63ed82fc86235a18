package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FakeFutureExchange.Answer;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.ManualHttpTime;
import io.github.collapseexecutor.http.rules.Side;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** How long a caller waits whose request shares a call that no thread waits for (H25). */
class FutureDeadlineTests extends FutureExchangesFixture {

    private final ManualHttpTime time = new ManualHttpTime();

    private FutureHttpCollapseExecutor timedExecutor(HttpCollapseOptions.Builder http) {
        return new FutureHttpCollapseExecutor(http.build(), IN_FLIGHT, Side.CLIENT, time);
    }

    @Test
    void H25_aFollowerGoesAloneAtItsDeadlineAndItsLeaderWaitsOn() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers =
                execute(timedExecutor(everything().followerTimeout(Duration.ofSeconds(1))), exchanges);
        time.advance(Duration.ofSeconds(1).minusNanos(1));
        assertThat(exchanges.get(1).wasSent()).isFalse();
        time.advance(Duration.ofNanos(1));
        exchanges.get(1).receive(OK, "own");
        assertThat(answers.get(1).join().body).isEqualTo("own");
        assertThat(answers.get(0)).isNotDone();
        exchanges.get(0).receiveWhole(OK, "body");
        assertThat(answers.get(0).join().body).isEqualTo("body");
    }

    /** On the machine's own clock, by two adapters: all of the JVM could have one thread for their deadlines. */
    @Test
    void H25_aClientThatBlocksAtADeadlineHoldsUpNoOtherDeadline() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        FakeFutureExchange leading = new FakeFutureExchange(get("http://a/p"));
        FakeFutureExchange blocking = new FakeFutureExchange(get("http://a/p")) {
            @Override
            public CompletableFuture<Answer> send() {
                blocked.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return super.send();
            }
        };
        List<CompletableFuture<Answer>> unused =
                execute(executor(everything().followerTimeout(Duration.ofMillis(1))), List.of(leading, blocking));
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        List<CompletableFuture<Answer>> others = execute(
                executor(everything()
                        .followerTimeout(Duration.ofMillis(1))
                        .onFollowerTimeout(FollowerTimeoutPolicy.FAIL)),
                exchanges(2));
        try {
            assertThat(others.get(1))
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(TimeoutException.class);
        } finally {
            end.countDown();
        }
    }

    @Test
    void H25_aFollowerFailsAtItsDeadlineWhereTheOptionsSaySo() throws Exception {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(
                timedExecutor(everything()
                        .followerTimeout(Duration.ofSeconds(1))
                        .onFollowerTimeout(FollowerTimeoutPolicy.FAIL)),
                exchanges);
        time.advance(Duration.ofSeconds(1));
        assertThat(failureOf(answers.get(1)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("followerTimeout")
                .hasMessageNotContaining("secret");
        assertThat(exchanges.get(1).wasSent()).isFalse();
    }

    @Test
    void H25_theDeadlineCountsFromTheArrivalOverEveryCallThatTheFollowerWaitsFor() {
        List<FakeFutureExchange> exchanges = exchanges(3);
        List<CompletableFuture<Answer>> answers =
                execute(timedExecutor(everything().followerTimeout(Duration.ofSeconds(10))), exchanges);
        time.advance(Duration.ofSeconds(6));
        exchanges.get(0).sending.completeExceptionally(new ConnectException("refused"));
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, false);
        time.advance(Duration.ofSeconds(4));
        assertThat(exchanges.get(2).wasSent()).isTrue();
        assertThat(answers.get(1)).as("it leads").isNotDone();
    }

    @Test
    void H25_aRequestThatWaitsForAPlaceKeepsItsDeadline() throws Exception {
        List<FakeFutureExchange> exchanges = exchanges(3);
        List<CompletableFuture<Answer>> answers = execute(
                timedExecutor(everything()
                        .fanOutLimit(1)
                        .followerTimeout(Duration.ofSeconds(2))
                        .onFollowerTimeout(FollowerTimeoutPolicy.FAIL)),
                exchanges);
        time.advance(Duration.ofSeconds(1));
        exchanges.get(0).receive(FakeResponse.of(401), "");
        time.advance(Duration.ofSeconds(1));
        assertThat(failureOf(answers.get(2))).isInstanceOf(TimeoutException.class);
        assertThat(exchanges.get(2).wasSent()).isFalse();
        assertThat(answers.get(1)).as("it is at the origin").isNotDone();
    }

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

    /** Each caller has two seconds for all that its request does. */
    private FutureHttpCollapseExecutor impatientExecutor(HttpCollapseOptions.Builder http) {
        CollapseOptions core = IN_FLIGHT.toBuilder().callTimeout(CALL_TIMEOUT).build();
        return new FutureHttpCollapseExecutor(http.build(), core, Side.CLIENT, time);
    }

    private static void assertTimedOut(CompletableFuture<Answer> caller) throws Exception {
        assertThat(caller).isCompletedExceptionally();
        assertThat(failureOf(caller)).isInstanceOf(TimeoutException.class).hasMessageContaining("callTimeout = ");
    }

    @Test
    void H25_aRequestThatIsSentByItselfHasTheTimeOfItsCallerAltogether() throws Exception {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(impatientExecutor(everything()), exchanges);
        time.advance(Duration.ofSeconds(1));
        exchanges.get(0).receive(FakeResponse.of(401), "");
        assertThat(exchanges.get(1).wasSent()).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertTimedOut(answers.get(1));
        assertThat(exchanges.get(1).sending).isCancelled();
        assertThat(time.scheduled()).isZero();
    }

    /** A handler that runs for one request only is not cut short, and holds the place that the other one waits for. */
    @Test
    void H25_aRequestThatWaitsForAPlaceHasTheTimeOfItsCallerAltogether() throws Exception {
        CollapseOptions core = IN_FLIGHT.toBuilder().callTimeout(CALL_TIMEOUT).build();
        HttpCollapseOptions open = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .fanOutLimit(1)
                .build();
        List<FakeFutureExchange> exchanges = List.of(
                new FakeFutureExchange(get("http://a/p")),
                new FakeFutureExchange(get("http://a/p")),
                new FakeFutureExchange(get("http://a/p")));
        List<CompletableFuture<Answer>> answers =
                execute(new FutureHttpCollapseExecutor(open, core, Side.SERVER, time), exchanges);
        time.advance(Duration.ofSeconds(1));
        exchanges.get(0).receive(FakeResponse.of(401), "");
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, false);
        time.advance(Duration.ofSeconds(1));
        assertTimedOut(answers.get(2));
        exchanges.get(1).receive(OK, "own");
        assertThat(answers.get(1).join().body).isEqualTo("own");
        assertThat(exchanges.get(2).wasSent()).isFalse();
    }

    @Test
    void H25_aRequestThatGathersAgainHasTheTimeOfItsCallerAltogetherWhetherOrNotItLeads() throws Exception {
        List<FakeFutureExchange> exchanges = exchanges(3);
        List<CompletableFuture<Answer>> answers = execute(impatientExecutor(everything()), exchanges);
        time.advance(Duration.ofSeconds(1));
        exchanges.get(0).sending.completeExceptionally(new ConnectException("refused"));
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, false);
        time.advance(Duration.ofSeconds(1));
        assertTimedOut(answers.get(1));
        assertTimedOut(answers.get(2));
        assertThat(exchanges.get(1).sending).as("nobody waits for it").isCancelled();
        assertThat(exchanges.get(2).wasSent()).isFalse();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void H25_theCallOfALeaderWhoseTimeIsOverGoesOnForCallersThatCameLater() throws Exception {
        FutureHttpCollapseExecutor executor = impatientExecutor(everything());
        FakeFutureExchange leading = exchange();
        CompletableFuture<Answer> leader = executor.execute(leading);
        time.advance(Duration.ofSeconds(1));
        CompletableFuture<Answer> follower = executor.execute(exchange());
        time.advance(Duration.ofSeconds(1));
        assertTimedOut(leader);
        leading.receiveWhole(OK, "body");
        assertThat(follower.join().body).isEqualTo("body");
    }

    @Test
    void H25_nothingWaitsForTheDeadlineOfARequestThatHasItsAnswer() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers =
                execute(timedExecutor(everything().followerTimeout(Duration.ofSeconds(1))), exchanges);
        assertThat(time.scheduled()).isPositive();
        exchanges.get(0).receiveWhole(OK, "body");
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(time.scheduled()).isZero();
    }
}
