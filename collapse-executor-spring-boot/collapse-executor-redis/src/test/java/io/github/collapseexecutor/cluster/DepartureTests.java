package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Leaders, waiters, messages and the memory of Redis go away: nobody waits in vain, and nothing is left behind. */
class DepartureTests extends SharingFixture {

    @Test
    void interruptedWaiterLeavesNothingBehind() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        await().until(() -> second.calls().node().subscriptions.channelCount() == 1);
        waiter.cancel(true);
        awaitWaiters(0);
        await().until(() -> second.calls().node().subscriptions.channelCount() == 0);
        held.end.complete("result");
        assertThat(calls).hasValue(1);
    }

    @Test
    void afterTheInterruptionOfTheLeaderAWaiterMakesTheCall() throws Exception {
        Instance first =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).lease(Duration.ofSeconds(20)));
        CountDownLatch begun = new CountDownLatch(1);
        Callable<String> blocked = () -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        Future<String> leader = threads.submit(() -> executor.execute("key", first.shared("key", blocked)));
        begun.await();
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        leader.cancel(true);
        assertThat(waiter.get(8, TimeUnit.SECONDS)).isEqualTo("own 1"); // long before the lease runs out
        assertThat(second.calls().counts().led()).isEqualTo(1);
    }

    @Test
    void afterTheLastCallerOfALeadersFutureHasLeftAWaiterMakesTheCall() throws Exception {
        CompletableFuture<String> abandoned = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor first = new FutureCallableGroupCollapseExecutor();
        FutureCallableGroupCollapseExecutor second = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> leader = first.execute(
                "key",
                stage(
                        instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).lease(Duration.ofSeconds(20))),
                        abandoned));
        await().until(() -> calls.get() == 1);
        Instance other = joining();
        CompletableFuture<String> waiter =
                second.execute("key", stage(other, CompletableFuture.completedFuture("second")));
        awaitWaiters(1);
        leader.cancel(true);
        assertThat(waiter.get(8, TimeUnit.SECONDS)).isEqualTo("second");
        assertThat(other.calls().counts().led()).isEqualTo(1);
        assertThat(abandoned).isCancelled();
    }

    @Test
    void cancelledFutureThatWaitsLeavesNothingBehind() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> waiter = executor.execute("key", stage(joining(), new CompletableFuture<>()));
        awaitWaiters(1);
        waiter.cancel(true);
        awaitWaiters(0);
        held.end.complete("result");
        assertThat(calls).hasValue(1);
    }

    @Test
    void nothingIsKeptOfAKeyWithoutCallers() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        long atMost = redis.commands().pttl(name());
        assertThat(atMost).isBetween(1L, 60_000L);
        held.end.complete("result");
        assertThat(held.result.get()).isEqualTo("result");
        assertThat(waiter.get()).isEqualTo("result");
        await().until(() -> second.calls().node().subscriptions.channelCount() == 0);
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 0);
    }

    @Test
    void afterTheEndEveryCallIsMadeAlone() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        second.calls().close();
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(second.shared("key", () -> "alone").call()).isEqualTo("alone");
        assertThat(second.calls().counts().available()).isFalse();
        held.end.complete("result");
    }

    @Test
    void aMessageThatIsLostCostsNoMoreThanTheWaitAllows() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofSeconds(1)));
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 1);
        second.calls().node().subscriptions.disconnect();
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 0);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
    }

    @Test
    void waiterOfWhichRedisKnowsNothingAnyMoreAsksAnew() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofSeconds(1)));
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        redis.commands().flushall();
        assertThat(waiter.get()).isEqualTo("own 2"); // while the first call is under way, of which nobody knows
        held.end.complete("forgotten");
        assertThat(held.result.get()).isEqualTo("forgotten");
    }

    /** Its farewell may come to Redis before the question that it has decided to ask. */
    @Test
    void oneThatLeavesWhileItIsAboutToAskAgainLeavesNothingBehind() throws Exception {
        Instance second = joining();
        Held held = new Held(joining(), Instance.TEXT);
        for (int round = 0; round < 500; round++) {
            ClusterWaiter waiter = new ClusterWaiter(
                    second.calls().node(), name().getBytes(StandardCharsets.UTF_8), true, false, nanos -> {});
            CompletableFuture<Decision> decision = waiter.begin();
            awaitWaiters(1);
            CyclicBarrier together = new CyclicBarrier(2);
            Future<?> news = threads.submit(() -> {
                together.await();
                waiter.told(Long.MAX_VALUE);
                return null;
            });
            together.await();
            waiter.leave();
            news.get();
            assertThat(decision).isNotDone();
            awaitWaiters(0);
        }
        held.end.complete("of A");
    }
}
