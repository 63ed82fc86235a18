package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One call, asked for by instances that share nothing but Redis. */
@OnEachJdk
class SharedCallTests extends SharingFixture {

    @Test
    void loneCallIsMadeByItsCaller() throws Exception {
        Instance only = instance();
        Thread here = Thread.currentThread();
        assertThat(only.shared("key", () -> Thread.currentThread() == here ? "here" : "elsewhere")
                        .call())
                .isEqualTo("here");
        assertThat(only.calls().counts().led()).isEqualTo(1);
    }

    @Test
    void waitersGetTheResultOfAnotherInstance() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> result = ask(second, Instance.TEXT);
        Future<String> another = ask(joining(), Instance.TEXT);
        awaitWaiters(2);
        held.end.complete("result");
        assertThat(result.get()).isEqualTo("result");
        assertThat(another.get()).isEqualTo("result");
        assertThat(held.result.get()).isEqualTo("result");
        assertThat(calls).hasValue(1);
        assertThat(second.calls().counts().taken()).isEqualTo(1);
    }

    @Test
    void freshCallerDoesNotGetTheResultOfACallThatBeganBefore() throws Exception {
        Held held = new Held(instance(), Instance.TEXT);
        Future<String> result = ask(instance(), Instance.TEXT);
        assertThat(result.get()).isEqualTo("own 2");
        held.end.complete("stale");
        assertThat(held.result.get()).isEqualTo("stale");
    }

    @Test
    void resultThatIsStoredYetIsNotGivenToALaterCaller() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
        assertThat(redis.commands().hexists(name(), "value")).isTrue();
        assertThat(ask(joining(), Instance.TEXT).get()).isEqualTo("own 2");
        assertThat(ask(instance(), Instance.TEXT).get()).isEqualTo("own 3");
    }

    @Test
    void futuresShareACall() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor first = new FutureCallableGroupCollapseExecutor();
        FutureCallableGroupCollapseExecutor second = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> leader = first.execute("key", stage(joining(), answer));
        await().until(() -> calls.get() == 1);
        CompletableFuture<String> waiter = second.execute("key", stage(joining(), new CompletableFuture<>()));
        awaitWaiters(1);
        answer.complete("result");
        assertThat(leader.get()).isEqualTo("result");
        assertThat(waiter.get()).isEqualTo("result");
        assertThat(calls).hasValue(1);
    }

    @Test
    void asyncCallsAreShared() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor();
        CompletableFuture<String> waiter = executor.execute("key", joining().shared("key", () -> "own"));
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
    }

    @Test
    void callersOfOneInstanceAskOnce() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        List<Future<String>> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(threads.submit(() -> executor.execute("key", second.shared("key", () -> "own"))));
        }
        await().until(() -> executor.counts().callers() == 20);
        awaitWaiters(1);
        held.end.complete("result");
        for (Future<String> caller : callers) {
            caller.get();
        }
        assertThat(second.calls().counts().taken() + second.calls().counts().led())
                .isLessThanOrEqualTo(2);
    }

    @Test
    void secretsThatCanBeGuessedAreRefused() {
        assertThatThrownBy(() -> ClusterOptions.builder(new byte[15]))
                .hasMessageContaining("secret is of 15 bytes")
                .hasMessageContaining("openssl rand");
        assertThatThrownBy(() -> ClusterOptions.builder(Instance.bytes("aaaaaaabbbbbbbccccc")))
                .hasMessageContaining("3 different bytes")
                .hasMessageContaining("openssl rand");
        assertThatThrownBy(() -> ClusterOptions.builder(Instance.bytes("0123456789".repeat(3))))
                .hasMessageContaining("repeat after 10")
                .hasMessageContaining("openssl rand");
        assertThatThrownBy(() -> Instance.options().otherSecrets(List.of(new byte[3])))
                .hasMessageContaining("otherSecrets is of 3 bytes");
        assertThatThrownBy(() -> Instance.options().otherSecrets(List.of(Instance.bytes("a secret of the tests"))))
                .hasMessageContaining("otherSecrets is the same as another secret");
        assertThatThrownBy(() -> Instance.options().prefix("a{b}")).hasMessageContaining("prefix is \"a{b}\"");
        assertThatThrownBy(() -> Instance.options().maxDelay(Duration.ZERO)).hasMessageContaining("maxDelay is PT0S");
        assertThatThrownBy(() -> Instance.options().maxWaitRatio(1)).hasMessageContaining("maxWaitRatio is 1.0");
        assertThatThrownBy(() -> Instance.options().maxResultSize(0)).hasMessageContaining("maxResultSize is 0");
    }

    @Test
    void callThatAStoredAnswerHasOvertakenIsNotJoined() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        store("stored before", 5);
        assertThat(ask(joining(), Instance.TEXT).get()).isEqualTo("own 2");
        held.end.complete("result");
    }

    @Test
    void ticketThatAnotherHasDrawnProvesNothing() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofSeconds(2))),
                Instance.TEXT);
        awaitWaiters(1);
        redis.commands().flushall();
        store("stale", 1); // the waiter's ticket was 2, and is 1 now
        assertThat(waiter.get()).isEqualTo("own 2");
        held.end.complete("result");
    }

    /** Has an answer stand in Redis, as an instance would have left it. */
    private static void store(String result, long covers) {
        redis.setField(name(), "value", Instance.bytes(result));
        redis.commands()
                .hset(
                        name(),
                        Map.of("tickets", "" + covers, "answer", covers + " " + micros(10) + " " + result.length()));
    }

    private static String micros(long secondsAhead) {
        return Long.parseLong(redis.commands().time().get(0)) + secondsAhead + "000000";
    }

    @Test
    void timesThatCannotBeHoldNobodyUp() throws Exception {
        redis.commands()
                .hset(
                        name(),
                        Map.of(
                                "leases", "token " + micros(30) + " 1000 " + micros(31) + " 1\n",
                                "last", micros(30),
                                "pass", micros(3600)));
        Instance first = instance();
        assertThat(first.shared("key", () -> "own").call()).isEqualTo("own");
        assertThat(first.calls().counts().led()).isEqualTo(1);
    }

    /** That every time in the hash is a minute later is the same as that the clock was set back by one. */
    @Test
    void whenTheClockOfRedisIsSetBackAHotKeyIsStillShared() throws Exception {
        Held earlier = new Held(instance(eager()), Instance.TEXT);
        earlier.end.complete("earlier");
        assertThat(earlier.result.get()).isEqualTo("earlier");
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(name(), "leases")).isEmpty());
        redis.commands().eval("""
                        for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
                          local later = string.gsub(redis.call('HGET', KEYS[1], field), '%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d',
                            function(time) return string.format('%.0f', tonumber(time) + 60000000) end)
                          redis.call('HSET', KEYS[1], field, later)
                        end
                        """, ScriptOutputType.STATUS, name());
        Held first = new Held(instance(eager()), Instance.TEXT);
        long since = Long.parseLong(micros(0));
        await().until(() -> Long.parseLong(micros(0)) > since + 1_000_000);
        Held second = new Held(instance(eager()), Instance.TEXT);
        Future<String> waiter = ask(instance(patient()), Instance.TEXT);
        awaitWaiters(1);
        Held covering = new Held(instance(eager()), Instance.TEXT);
        covering.end.complete("shared");
        assertThat(waiter.get()).isEqualTo("shared");
        first.end.complete("late");
        second.end.complete("late");
    }

    private static ClusterOptions.Builder eager() {
        return Instance.options().maxWaitRatio(0).lease(Duration.ofSeconds(20));
    }

    @Test
    void registrationsOfWaitersThatDiedAreRemoved() throws Exception {
        Map<String, String> dead = new HashMap<>();
        for (int i = 1; i <= 20; i++) {
            dead.put("w" + Envelope.newId(), i + " " + micros(-600));
        }
        dead.put("tickets", "20");
        redis.commands().hset(name(), dead);
        for (int i = 0; i < 3; i++) {
            ask(instance(), Instance.TEXT).get();
        }
        awaitWaiters(0);
    }

    @Test
    void leaderRenewsItsLeaseForAsLongAsItsCallTakes() throws Exception {
        Held held = new Held(
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).lease(Duration.ofSeconds(1))), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        long over = Long.parseLong(micros(3));
        await().until(() -> Long.parseLong(micros(0)) > over);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
        assertThat(calls).hasValue(1);
    }

    @Test
    void stageThatFailsOrIsNoneFailsItsCallers() throws Exception {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
        ClusterCalls cluster = joining().calls();
        Callable<CompletionStage<String>> throwing = () -> {
            throw new IOException("thrown");
        };
        Callable<CompletionStage<String>> failing = () -> CompletableFuture.failedFuture(new IOException("failed"));
        assertThatThrownBy(() -> executor.execute("key", cluster.sharedStage("key", throwing, Instance.TEXT))
                        .get())
                .hasRootCauseMessage("thrown");
        assertThatThrownBy(() -> executor.execute("key", cluster.sharedStage("key", failing, Instance.TEXT))
                        .get())
                .hasRootCauseMessage("failed");
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(name(), "leases")).isEmpty());
    }

    @Test
    void codeOfUsersRunsOnNoThreadOfTheRedisClient() throws Exception {
        Set<String> ran = ConcurrentHashMap.newKeySet();
        ResultCodec<String> codec = ResultCodec.of(
                text -> {
                    ran.add(Thread.currentThread().getName());
                    return Instance.TEXT.encode(text);
                },
                bytes -> {
                    ran.add(Thread.currentThread().getName());
                    return Instance.TEXT.decode(bytes);
                });
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
        Held held = new Held(joining(), codec);
        CompletableFuture<String> waiter =
                executor.execute("key", joining().calls().sharedStage("key", CompletableFuture::new, codec));
        waiter = waiter.whenComplete(
                (result, failure) -> ran.add(Thread.currentThread().getName()));
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
        assertThat(ran).hasSizeGreaterThan(1).noneMatch(name -> name.contains("lettuce") || name.contains("timer"));
    }

    @Test
    void newerAnswerIsNotReplacedByAnOlderOne() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        store("newer", 5);
        held.end.complete("older");
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(name(), "leases")).isEmpty());
        assertThat(redis.commands().hget(name(), "answer")).startsWith("5 ");
        assertThat(redis.commands().hget(name(), "value")).contains("newer");
    }

    @Test
    void callThatALaterOneHasOvertakenHoldsNobodyUp() throws Exception {
        Held hanging = new Held(instance(patient()), Instance.TEXT);
        long over = Long.parseLong(micros(2));
        await().until(() -> Long.parseLong(micros(0)) >= over);
        Held second = new Held(instance(patient()), Instance.TEXT);
        Future<String> third = ask(instance(patient()), Instance.TEXT);
        awaitWaiters(1); // for a hundred times the time between the two
        second.end.complete("second");
        assertThat(third.get(8, TimeUnit.SECONDS)).isEqualTo("own 3");
        hanging.end.complete("first");
    }

    private static ClusterOptions.Builder patient() {
        return Instance.options().maxWaitRatio(0.99).lease(Duration.ofSeconds(20));
    }
}
