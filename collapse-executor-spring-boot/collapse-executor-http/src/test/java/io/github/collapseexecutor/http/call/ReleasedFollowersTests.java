package io.github.collapseexecutor.http.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FakeExchange.Answer;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.ManualHttpTime;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of followers that wait for a response that is not for them, or does not come in time. */
class ReleasedFollowersTests extends BlockingExchangesSuite {

    private final ManualHttpTime time = new ManualHttpTime();
    private final CountDownLatch ownGate = new CountDownLatch(1);
    private final Semaphore arrived = new Semaphore(0);
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private static BlockingHttpCollapseExecutor executor(HttpCollapseOptions.Builder http) {
        return new BlockingHttpCollapseExecutor(http.build(), IN_FLIGHT);
    }

    private FakeExchange unshared() {
        return exchange(gated(() -> Answer.of(FakeResponse.of(200).with("Cache-Control", "no-store"), "first")));
    }

    /** An exchange that stays at the origin until the test lets all of them go. */
    private FakeExchange held() {
        return exchange(() -> {
            most.accumulateAndGet(present.incrementAndGet(), Math::max);
            arrived.release();
            try {
                ownGate.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
            present.decrementAndGet();
            return Answer.of(FakeResponse.of(200), "own");
        });
    }

    private void awaitArrived(int count) throws InterruptedException {
        assertThat(arrived.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void H20_allFollowersAreReleasedAtOnce() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything());
        Caller<Answer> leader = lead(executor, unshared());
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            followers.add(follow(executor, held()));
        }
        gate.countDown();
        awaitArrived(50);
        ownGate.countDown();
        assertThat(leader.get().text()).isEqualTo("first");
        for (Caller<Answer> follower : followers) {
            assertThat(follower.get().text()).isEqualTo("own");
        }
    }

    @Test
    void H20_noMoreThanTheLimitAreAtTheOriginAtATime() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything().fanOutLimit(3));
        Caller<Answer> leader = lead(executor, unshared());
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            followers.add(follow(executor, held()));
        }
        gate.countDown();
        awaitArrived(3);
        ownGate.countDown();
        leader.get();
        for (Caller<Answer> follower : followers) {
            assertThat(follower.get().text()).isEqualTo("own");
        }
        assertThat(most).hasValue(3);
    }

    /** Six who leave are seldom all behind the three who stay in the order in which they wait. */
    @Test
    void H20_aFollowerThatIsInterruptedWhileWaitingForAPlaceLeavesItToTheOthers() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything().fanOutLimit(1));
        Caller<Answer> leader = lead(executor, unshared());
        List<FakeExchange> exchanges = new ArrayList<>();
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            exchanges.add(held());
            followers.add(follow(executor, exchanges.get(i)));
        }
        gate.countDown();
        leader.get();
        awaitArrived(1);
        int left = 0;
        List<Caller<Answer>> staying = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            if (left == 6 || exchanges.get(i).wasSent()) {
                staying.add(followers.get(i));
            } else {
                followers.get(i).thread().interrupt();
                assertThat(followers.get(i).failure()).isInstanceOf(InterruptedIOException.class);
                assertThat(exchanges.get(i).wasSent()).isFalse();
                left++;
            }
        }
        ownGate.countDown();
        for (Caller<Answer> follower : staying) {
            assertThat(follower.get().text()).isEqualTo("own");
        }
    }

    /** A JVM that can start no thread cannot set a timer either. */
    @Test
    void H20_followersForWhichNoTimerCanBeSetFailAndLeaveTheirPlacesToTheOther() throws Exception {
        AtomicInteger timersThatFail = new AtomicInteger(8);
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                everything().fanOutLimit(1).followerTimeout(Duration.ofDays(1)).build(), IN_FLIGHT, new HttpTime() {
                    @Override
                    public long nanoTime() {
                        return 0;
                    }

                    @Override
                    public Instant now() {
                        return Instant.EPOCH;
                    }

                    @Override
                    public Future<?> schedule(Runnable task, long nanos) {
                        if (timersThatFail.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        return new CompletableFuture<>();
                    }
                });
        Caller<Answer> leader = lead(executor, unshared());
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            followers.add(follow(executor, held()));
        }
        gate.countDown();
        leader.get();
        awaitArrived(1);
        await().until(() -> timersThatFail.get() < 0);
        ownGate.countDown();
        List<Object> answers = new ArrayList<>();
        for (Caller<Answer> follower : followers) {
            answers.add(follower.result()
                    .handle((answer, failure) -> failure == null ? "own" : failure.getClass())
                    .get(30, TimeUnit.SECONDS));
        }
        assertThat(answers).filteredOn("own"::equals).hasSize(2);
        assertThat(answers).filteredOn(OutOfMemoryError.class::equals).hasSize(8);
    }

    @Test
    void H21_anUnusableResponseIsRememberedAndForgottenInTime() throws Exception {
        BlockingHttpCollapseExecutor executor =
                new BlockingHttpCollapseExecutor(everything().build(), IN_FLIGHT, time);
        executor.execute(exchange(FakeResponse.of(200).with("Cache-Control", "no-store"), ""));
        assertPasses(executor, FakeResponse.of(200).with("Cache-Control", "no-store"));
        time.advance(Duration.ofSeconds(121));
        assertCollapses(executor);
    }

    @Test
    void H21_aShareableResponseEndsIt() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything());
        executor.execute(exchange(FakeResponse.of(200).with("Cache-Control", "no-store"), ""));
        executor.execute(exchange(FakeResponse.of(200), ""));
        assertCollapses(executor);
    }

    @Test
    void H21_aBodyOfUnknownLengthIsNoNewsOfOneThatWasTooLarge() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything().maxBodySize(3));
        executor.execute(exchange(FakeResponse.of(200), "large"));
        executor.execute(exchange(FakeResponse.of(200), "large"));
        assertPasses(executor, FakeResponse.of(200));
        executor.execute(exchange(FakeResponse.of(200).with("Content-Length", "2"), "ok"));
        assertCollapses(executor);
    }

    @Test
    void H21_nothingIsRememberedForNoTime() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything().passTtl(Duration.ZERO));
        executor.execute(exchange(FakeResponse.of(200).with("Cache-Control", "no-store"), ""));
        assertCollapses(executor);
    }

    private void assertPasses(BlockingHttpCollapseExecutor executor, FakeResponse response) throws Exception {
        CountDownLatch together = new CountDownLatch(3);
        List<Caller<Answer>> passing = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            passing.add(start(executor, exchange(() -> {
                together.countDown();
                try {
                    assertThat(together.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                return Answer.of(response, "large");
            })));
        }
        for (Caller<Answer> caller : passing) {
            assertThat(caller.get().isClosed()).isFalse();
        }
    }

    private void assertCollapses(BlockingHttpCollapseExecutor executor) throws Exception {
        Caller<Answer> leader = lead(
                executor, exchange(gated(() -> Answer.of(FakeResponse.of(200).with("Content-Length", "2"), "ok"))));
        FakeExchange following = exchange(FakeResponse.of(200), "own");
        Caller<Answer> follower = follow(executor, following);
        gate.countDown();
        leader.get();
        assertThat(follower.get().text()).isEqualTo("ok");
        assertThat(following.wasSent()).isFalse();
    }

    @Test
    void H25_aHungLeaderHoldsAFollowerNoLongerThanItsDeadline() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything().followerTimeout(Duration.ofMillis(1)));
        Caller<Answer> leader = lead(executor, unshared());
        assertThat(executor.execute(exchange(FakeResponse.of(200), "own")).text())
                .isEqualTo("own");
        gate.countDown();
        assertThat(leader.get().text()).isEqualTo("first");
    }

    @Test
    void H25_aFollowerFailsAtItsDeadlineWhereTheOptionsSaySo() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(
                everything().followerTimeout(Duration.ofMillis(1)).onFollowerTimeout(FollowerTimeoutPolicy.FAIL));
        Caller<Answer> leader = lead(executor, unshared());
        FakeExchange following = exchange(FakeResponse.of(200), "own");
        assertThat(start(executor, following).failure())
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageContaining("followerTimeout")
                .hasMessageNotContaining("secret");
        assertThat(following.wasSent()).isFalse();
        gate.countDown();
        leader.get();
    }

    private BlockingHttpCollapseExecutor timedExecutor(HttpCollapseOptions.Builder http) {
        return new BlockingHttpCollapseExecutor(http.build(), IN_FLIGHT, time);
    }

    @Test
    void H25_aRequestThatWaitsForAPlaceKeepsItsDeadline() throws Exception {
        BlockingHttpCollapseExecutor executor = timedExecutor(everything()
                .fanOutLimit(1)
                .followerTimeout(Duration.ofHours(2))
                .onFollowerTimeout(FollowerTimeoutPolicy.FAIL));
        Caller<Answer> leader = lead(executor, unshared());
        List<Caller<Answer>> followers = List.of(follow(executor, held()), follow(executor, held()));
        time.advance(Duration.ofHours(1));
        gate.countDown();
        leader.get();
        awaitArrived(1);
        await().until(() -> time.scheduled() == 1);
        CompletableFuture<?> firstToEnd = CompletableFuture.anyOf(
                followers.get(0).result(), followers.get(1).result());
        assertThat(firstToEnd).isNotDone();
        time.advance(Duration.ofHours(1));
        assertThat(firstToEnd)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(SocketTimeoutException.class);
        ownGate.countDown();
        assertThat(arrived.tryAcquire()).isFalse();
    }

    /** Each caller has two hours for all that its request waits for. */
    private BlockingHttpCollapseExecutor impatientExecutor(HttpCollapseOptions.Builder http) {
        CollapseOptions core =
                IN_FLIGHT.toBuilder().callTimeout(Duration.ofHours(2)).build();
        return new BlockingHttpCollapseExecutor(http.build(), core, time);
    }

    /** One of the two is at the origin, and is not cut short. */
    private void assertOneTimesOut(List<Caller<Answer>> followers) throws Exception {
        CompletableFuture<?> firstToEnd = CompletableFuture.anyOf(
                followers.get(0).result(), followers.get(1).result());
        assertThat(firstToEnd)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(SocketTimeoutException.class)
                .withMessageContaining("callTimeout");
        assertThat(arrived.tryAcquire()).isFalse();
        ownGate.countDown();
        await().until(() ->
                followers.stream().allMatch(follower -> follower.result().isDone()));
        assertThat(followers)
                .filteredOn(follower -> !follower.result().isCompletedExceptionally())
                .hasSize(1);
    }

    @Test
    void H25_aRequestThatWaitsForAPlaceHasTheTimeOfItsCallerAltogether() throws Exception {
        BlockingHttpCollapseExecutor executor = impatientExecutor(everything().fanOutLimit(1));
        Caller<Answer> leader = lead(executor, unshared());
        List<Caller<Answer>> followers = List.of(follow(executor, held()), follow(executor, held()));
        time.advance(Duration.ofHours(1));
        gate.countDown();
        leader.get();
        awaitArrived(1);
        await().until(() -> time.scheduled() == 1);
        time.advance(Duration.ofHours(1));
        assertOneTimesOut(followers);
    }

    /** Two, whose leader is refused its connection after two hours. */
    private List<Caller<Answer>> followersOfARefusedLeader(BlockingHttpCollapseExecutor executor) throws Exception {
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new ConnectException("refused");
        })));
        List<Caller<Answer>> followers = List.of(follow(executor, held()), follow(executor, held()));
        time.advance(Duration.ofHours(2));
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(ConnectException.class);
        return followers;
    }

    /** One of the two calls again, and hangs; the time of the other's caller is over when it begins to wait for that call. */
    @Test
    void H25_aRequestThatGathersAgainHasTheTimeOfItsCallerAltogether() throws Exception {
        BlockingHttpCollapseExecutor executor = impatientExecutor(everything());
        List<Caller<Answer>> followers = followersOfARefusedLeader(executor);
        awaitArrived(1);
        assertOneTimesOut(followers);
    }

    /** One of the two calls again, and hangs; the other's time is over when it begins to wait for that call. */
    @Test
    void H25_theDeadlineCountsFromTheArrivalOverEveryCallThatAFollowerWaitsFor() throws Exception {
        BlockingHttpCollapseExecutor executor = timedExecutor(everything().followerTimeout(Duration.ofHours(2)));
        List<Caller<Answer>> followers = followersOfARefusedLeader(executor);
        awaitArrived(2);
        ownGate.countDown();
        for (Caller<Answer> follower : followers) {
            assertThat(follower.get().text()).isEqualTo("own");
        }
    }

    @Test
    void H32_aRequestThatGoesAloneSaysSoAndOneThatIsAnsweredSaysSo() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(everything().cacheStatus("here"));
        Caller<Answer> leader = lead(executor, unshared());
        Caller<Answer> follower =
                follow(executor, exchange(FakeResponse.of(200).with("Cache-Status", "origin; hit"), "own"));
        gate.countDown();
        assertThat(leader.get().head.values("Cache-Status")).isEmpty();
        assertThat(follower.get().head.values("Cache-Status"))
                .containsExactly("origin; hit", "here; fwd=uri-miss; collapsed=?0");
    }
}
