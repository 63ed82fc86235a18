package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.call.FakeFutureExchange.Answer;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.ManualHttpTime;
import io.github.collapseexecutor.http.rules.Side;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How the end of each request is told, so that the numbers add up. */
class HttpCallSummaryTests {

    private final List<HttpCallSummary> ended = new ArrayList<>();
    private final ManualHttpTime time = new ManualHttpTime();

    private HttpCollapseOptions.Builder http() {
        return HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/p")))
                .listener(new HttpCollapseListener() {
                    @Override
                    public void requestEnded(HttpCallSummary request) {
                        ended.add(request);
                    }
                });
    }

    private FutureHttpCollapseExecutor joining(HttpCollapseOptions.Builder http, CollapseOptions.Builder core) {
        return new FutureHttpCollapseExecutor(
                http.build(), core.joinMode(JoinMode.IN_FLIGHT).build(), Side.CLIENT, time);
    }

    private List<String> told() {
        return ended.stream()
                .map(request -> request.role() + " " + request.outcome() + (request.isSaved() ? " saved" : ""))
                .toList();
    }

    private static FakeFutureExchange exchange() {
        return new FakeFutureExchange(get("http://a/p"));
    }

    @Test
    void aLeaderIsSentAndItsFollowersAreSaved() {
        FutureHttpCollapseExecutor executor = joining(http(), CollapseOptions.builder());
        FakeFutureExchange leader = exchange();
        FakeFutureExchange follower = exchange();
        CompletableFuture<Answer> first = executor.execute(leader);
        CompletableFuture<Answer> second = executor.execute(follower);
        time.advance(Duration.ofMillis(7));
        leader.receiveWhole(FakeResponse.of(200), "a");
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(told()).containsExactlyInAnyOrder("LEADER ANSWERED", "FOLLOWER ANSWERED saved");
        assertThat(ended).extracting(HttpCallSummary::durationNanos).containsOnly(7_000_000L);
    }

    @Test
    void aLoneRequestIsAlone() {
        FutureHttpCollapseExecutor executor =
                new FutureHttpCollapseExecutor(http().build(), CollapseOptions.defaults(), Side.CLIENT, time);
        FakeFutureExchange lone = exchange();
        CompletableFuture<Answer> answer = executor.execute(lone);
        lone.receive(FakeResponse.of(200), "a");
        assertThat(answer).isCompleted();
        assertThat(told()).containsExactly("ALONE ANSWERED");
    }

    @Test
    void aRequestThatIsSentBecauseAResponseWasForOneOnlyIsAlone() {
        FutureHttpCollapseExecutor executor = joining(http(), CollapseOptions.builder());
        FakeFutureExchange leader = exchange();
        FakeFutureExchange follower = exchange();
        CompletableFuture<Answer> first = executor.execute(leader);
        CompletableFuture<Answer> second = executor.execute(follower);
        leader.receive(FakeResponse.of(200).with("Cache-Control", "private"), "a");
        follower.receive(FakeResponse.of(200), "b");
        FakeFutureExchange passing = exchange();
        CompletableFuture<Answer> third = executor.execute(passing);
        passing.receive(FakeResponse.of(200), "c");
        assertThat(List.of(first, second, third)).allMatch(CompletableFuture::isDone);
        assertThat(told()).containsExactly("ALONE ANSWERED", "ALONE ANSWERED", "ALONE ANSWERED");
    }

    @Test
    void aSharedFailureIsSavedToo() {
        FutureHttpCollapseExecutor executor =
                joining(http().onLeaderFailure(LeaderFailurePolicy.SHARE), CollapseOptions.builder());
        FakeFutureExchange leader = exchange();
        CompletableFuture<Answer> first = executor.execute(leader);
        CompletableFuture<Answer> second = executor.execute(exchange());
        leader.sending.completeExceptionally(new IOException("broken"));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(told()).containsExactlyInAnyOrder("LEADER FAILED", "FOLLOWER FAILED saved");
        assertThat(ended).extracting(HttpCallSummary::failure).doesNotContainNull();
    }

    @Test
    void aFollowerThatLeavesOrIsRefusedIsNotSaved() {
        FutureHttpCollapseExecutor executor =
                joining(http(), CollapseOptions.builder().maxPending(2));
        CompletableFuture<Answer> leader = executor.execute(exchange());
        CompletableFuture<Answer> leaving = executor.execute(exchange());
        CompletableFuture<Answer> refused = executor.execute(exchange());
        assertThat(leaving.cancel(true)).isTrue();
        assertThat(refused).isCompletedExceptionally();
        assertThat(told()).containsExactlyInAnyOrder("FOLLOWER REJECTED", "FOLLOWER CANCELLED");
        assertThat(leader.cancel(true)).isTrue();
    }

    @Test
    void aRequestOfABlockingClientIsToldOfBeforeItsCallerGoesOn() throws Exception {
        BlockingHttpCollapseExecutor executor =
                new BlockingHttpCollapseExecutor(http().build(), CollapseOptions.defaults(), time);
        FakeExchange answered =
                new FakeExchange(get("http://a/p"), () -> FakeExchange.Answer.of(FakeResponse.of(200), "done"));
        assertThat(executor.execute(answered).text()).isEqualTo("done");
        FakeExchange failing = new FakeExchange(get("http://a/p"), () -> {
            throw new IOException("broken");
        });
        assertThat(catchThrowable(() -> executor.execute(failing))).hasMessage("broken");
        assertThat(told()).containsExactly("ALONE ANSWERED", "ALONE FAILED");
    }

    @Test
    void aRequestWhoseThreadWasInterruptedWhileItWasSentIsCancelled() {
        BlockingHttpCollapseExecutor executor =
                new BlockingHttpCollapseExecutor(http().build(), CollapseOptions.defaults(), time);
        FakeExchange interrupted =
                new FakeExchange(get("http://a/p"), FakeExchange.Sending.throwing(new InterruptedException()));
        assertThat(catchThrowable(() -> executor.execute(interrupted))).isInstanceOf(InterruptedException.class);
        assertThat(told()).containsExactly("ALONE CANCELLED");
    }

    @Test
    void aRequestThatMayNotShareACallIsNoCall() throws Exception {
        BlockingHttpCollapseExecutor executor =
                new BlockingHttpCollapseExecutor(http().build(), CollapseOptions.defaults(), time);
        FakeExchange posted = new FakeExchange(
                FakeRequest.of("POST", "http://a/p"), () -> FakeExchange.Answer.of(FakeResponse.of(200), "done"));
        assertThat(executor.execute(posted).text()).isEqualTo("done");
        assertThat(told()).isEmpty();
    }
}
