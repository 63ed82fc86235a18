package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory of Redis is full when a result is to be stored: nobody waits for the end of the lease of its call, which is 20 s here. */
class FullMemoryTests extends SharingFixture {

    @AfterEach
    void makeRoom() {
        redis.commands().configSet("maxmemory", "0");
    }

    private static ClusterOptions.Builder longLease(Duration maxDelay) {
        return Instance.options().maxDelay(maxDelay).lease(Duration.ofSeconds(20));
    }

    private static void fill() {
        redis.commands().configResetstat();
        redis.commands().configSet("maxmemory", "1"); // the policy is noeviction
    }

    /** Leaves room again as soon as Redis has refused to store something. */
    private static void makeRoomAfterRefusal() {
        await().until(() -> redis.commands().info("errorstats").contains("errorstat_"));
        redis.commands().configSet("maxmemory", "0");
    }

    @Test
    void aWaiterThatLooksMeanwhileMakesTheCallItself() throws Exception {
        Held held = new Held(instance(longLease(Duration.ofSeconds(10)).joinMode(JoinMode.IN_FLIGHT)), Instance.TEXT);
        Instance second = instance(longLease(Duration.ofMillis(500)).joinMode(JoinMode.IN_FLIGHT));
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        fill();
        assertThat(waiter.get(8, TimeUnit.SECONDS)).isEqualTo("own 2");
        assertThat(second.calls().counts().unavailable()).isEqualTo(1);
        held.end.complete("result");
        assertThat(held.result.get()).isEqualTo("result");
    }

    @Test
    void waitersThatHaveJoinedMakeTheCallThemselves() throws Exception {
        Held held = new Held(instance(longLease(Duration.ofSeconds(20)).joinMode(JoinMode.IN_FLIGHT)), Instance.TEXT);
        Future<String> waiter =
                ask(instance(longLease(Duration.ofSeconds(20)).joinMode(JoinMode.IN_FLIGHT)), Instance.TEXT);
        awaitWaiters(1);
        awaitMessages();
        fill();
        held.end.complete("result");
        makeRoomAfterRefusal();
        assertThat(waiter.get(8, TimeUnit.SECONDS)).isEqualTo("own 2"); // by itself it would look later
    }

    /** The third and the fourth ask while two calls are in flight; as soon as these end, one of them makes the next call, which answers both. */
    @Test
    void waitersThatAskedBeforeTheCallMakeTheirOwn() throws Exception {
        ClusterOptions.Builder options = longLease(Duration.ofSeconds(20)).maxWaitRatio(0.99);
        Held first = new Held(instance(options), Instance.TEXT);
        Held second = new Held(instance(options), Instance.TEXT);
        CompletableFuture<String> end = new CompletableFuture<>();
        Future<String> third = askUntil(instance(options), end);
        Future<String> fourth = askUntil(instance(options), end);
        awaitWaiters(2);
        awaitMessages();
        first.end.complete("first");
        second.end.complete("second");
        await().until(() -> calls.get() == 3);
        awaitWaiters(1);
        fill();
        end.complete("its result");
        makeRoomAfterRefusal();
        assertThat(third.get(8, TimeUnit.SECONDS)).isEqualTo("its result");
        assertThat(fourth.get(8, TimeUnit.SECONDS)).isEqualTo("its result");
        assertThat(calls).hasValue(4);
    }

    private Future<String> askUntil(Instance instance, CompletableFuture<String> end) {
        return threads.submit(() -> instance.shared("key", () -> {
                    calls.incrementAndGet();
                    return end.get();
                })
                .call());
    }

    /** Waits until messages arrive, and each waiter has looked once because of that. */
    private static void awaitMessages() {
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) >= 1);
        AtomicReference<Map<String, String>> last = new AtomicReference<>(Map.of());
        await().during(Duration.ofMillis(500)).until(() -> {
            Map<String, String> now = redis.commands().hgetall(name());
            return now.equals(last.getAndSet(now));
        });
    }
}
