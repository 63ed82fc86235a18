package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.Decided.forwarded;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseCounts;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.RequestDecision;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The switch of adapters, and what it shows of them. */
class HttpCollapseControlTests {

    private static final CollapseRule FIRST = CollapseRule.of(CollapsePolicy.strict(), "/first");
    private static final CollapseRule SECOND = CollapseRule.of(CollapsePolicy.strict(), "/second");

    private final HttpCollapseControl control = new HttpCollapseControl();
    private final HttpCollapseOptions options = HttpCollapseOptions.builder()
            .rules(List.of(FIRST, SECOND))
            .control(control)
            .build();
    private final FutureHttpCollapseExecutor executor =
            FutureHttpCollapseExecutor.ofClient(options, CollapseOptions.defaults());

    private RequestDecision decide(String path) {
        return executor.arrived(get("http://a" + path));
    }

    @Test
    void requestsOfAPausedGroupAreForwardedAndThoseOfOthersAreNot() {
        control.pause(FIRST);
        assertThat(decide("/first")).isEqualTo(forwarded(Reason.PAUSED));
        assertThat(decide("/second")).isInstanceOf(CollapsibleRequest.class);
        control.resume(FIRST);
        assertThat(decide("/first")).isInstanceOf(CollapsibleRequest.class);
    }

    @Test
    void aPauseOfAllKeepsThePausesOfSingleGroupsApart() {
        control.pause(FIRST);
        control.pause();
        assertThat(decide("/second")).isEqualTo(forwarded(Reason.PAUSED));
        control.resume(FIRST);
        assertThat(decide("/first")).isEqualTo(forwarded(Reason.PAUSED));
        control.pause(SECOND);
        control.resume();
        assertThat(decide("/first")).isInstanceOf(CollapsibleRequest.class);
        assertThat(decide("/second")).isEqualTo(forwarded(Reason.PAUSED));
    }

    @Test
    void itShowsWhatIsInAllItsAdapters() {
        FutureHttpCollapseExecutor another = FutureHttpCollapseExecutor.ofClient(options, CollapseOptions.defaults());
        CompletableFuture<?> one = executor.execute(new FakeFutureExchange(get("http://a/first")));
        CompletableFuture<?> two = another.execute(new FakeFutureExchange(get("http://a/first")));
        assertThat(control.counts()).isEqualTo(new HttpCollapseCounts(2, 2, 0, 2, 2, 0));
        assertThat(one.cancel(true)).isTrue();
        assertThat(two.cancel(true)).isTrue();
        assertThat(control.counts()).isEqualTo(new HttpCollapseCounts(2, 0, 0, 0, 0, 0));
    }

    @Test
    void anAdapterThatIsGoneIsNotKept() {
        assertThat(control.counts().adapters()).isEqualTo(1);
        FutureHttpCollapseExecutor dropped = FutureHttpCollapseExecutor.ofClient(options, CollapseOptions.defaults());
        assertThat(dropped.arrived(get("http://a/first"))).isInstanceOf(CollapsibleRequest.class);
        assertThat(control.counts().adapters()).isEqualTo(2);
        dropped = executor;
        org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            System.gc();
            assertThat(control.counts().adapters()).isEqualTo(1);
        });
        assertThat(dropped).isSameAs(executor);
    }

    @Test
    void H21_passingKeysAreCountedAndForgottenOnDemand() throws Exception {
        FutureHttpCollapseExecutor joining = FutureHttpCollapseExecutor.ofClient(
                options, CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build()); // others may join the call
        FakeFutureExchange refused = new FakeFutureExchange(get("http://a/first"));
        CompletableFuture<FakeFutureExchange.Answer> answer = joining.execute(refused);
        refused.receive(FakeResponse.of(200).with("Cache-Control", "private"), "own");
        assertThat(answer.get().body).isEqualTo("own");
        assertThat(control.counts().passingKeys()).isEqualTo(1);
        control.forgetPassingKeys();
        assertThat(control.counts().passingKeys()).isZero();
    }
}
