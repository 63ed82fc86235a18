package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One call, asked for by instances that share nothing but Redis. */
@Timeout(60)
class SharedCallTests {

    private static ClusterRedis redis;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Instance> instances = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        redis = new ClusterRedis();
    }

    @AfterAll
    static void stop() throws Exception {
        redis.close();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        instances.forEach(Instance::close);
        redis.commands().flushall();
    }

    private Instance instance() {
        return instance(Instance.options());
    }

    /** One that joins calls in flight: so a test says who waits for whom. */
    private Instance joining() {
        return instance(Instance.options().joinMode(JoinMode.IN_FLIGHT));
    }

    private Instance instance(ClusterOptions.Builder options) {
        Instance instance =
                new Instance(redis, options.maxWait(Duration.ofSeconds(20)).build());
        instances.add(instance);
        return instance;
    }

    /** A call that an instance has begun to make, and that ends when the test says so. */
    private final class Held {

        private final CompletableFuture<String> end = new CompletableFuture<>();
        private final Future<String> result;

        Held(Instance leader, ResultCodec<String> codec) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            result = threads.submit(() -> leader.calls()
                    .shared(
                            "key",
                            () -> {
                                calls.incrementAndGet();
                                begun.countDown();
                                try {
                                    return end.get();
                                } catch (ExecutionException e) {
                                    throw (Exception) e.getCause();
                                }
                            },
                            codec)
                    .call());
            begun.await();
        }
    }

    private Future<String> ask(Instance instance, ResultCodec<String> codec) {
        return threads.submit(() -> instance.calls()
                .shared("key", () -> "own " + calls.incrementAndGet(), codec)
                .call());
    }

    private static String name() {
        KeySeal seal = new KeySeal(Instance.options().build().secret(), "collapse");
        return new String(seal.nameOf("key"), StandardCharsets.UTF_8);
    }

    private void awaitWaiters(int count) {
        await().until(() -> redis.commands().hkeys(name()).stream()
                        .filter(field -> field.matches("w\\d+"))
                        .count()
                == count);
    }

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
    void nullIsSharedToo() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete(null);
        assertThat(waiter.get()).isNull();
        assertThat(calls).hasValue(1);
    }

    @Test
    void failureThatTheCodecDoesNotCarryStaysWhereItIs() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        held.end.completeExceptionally(new IOException("broken here"));
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(second.calls().counts().failedElsewhere()).isEqualTo(1);
        assertThatThrownBy(held.result::get).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void failureThatTheCodecCarriesReachesOtherInstances() throws Exception {
        ResultCodec<String> codec = new ResultCodec<>() {
            @Override
            public byte[] encode(String result) throws Exception {
                return Instance.TEXT.encode(result);
            }

            @Override
            public String decode(byte[] bytes) throws Exception {
                return Instance.TEXT.decode(bytes);
            }

            @Override
            public byte[] encodeFailure(Exception failure) throws Exception {
                return failure instanceof FileNotFoundException ? encode(failure.getMessage()) : null;
            }

            @Override
            public Exception decodeFailure(byte[] bytes) throws Exception {
                return new FileNotFoundException(decode(bytes));
            }
        };
        Held held = new Held(joining(), codec);
        Future<String> waiter = ask(joining(), codec);
        awaitWaiters(1);
        held.end.completeExceptionally(new FileNotFoundException("no such page"));
        assertThatThrownBy(waiter::get)
                .cause()
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("no such page");
        assertThat(calls).hasValue(1);
    }

    @Test
    void resultThatIsTooLargeIsNotSharedAndNobodyWaitsForTheNextOne() throws Exception {
        Held held = new Held(
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxResultSize(10)), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete("more than ten bytes");
        assertThat(waiter.get()).isEqualTo("own 2");
        Instance later = joining();
        assertThat(ask(later, Instance.TEXT).get()).isEqualTo("own 3");
        assertThat(later.calls().counts().notShareable()).isEqualTo(1);
        assertThat(redis.commands().hexists(name(), "value")).isFalse();
    }

    @Test
    void codecThatThrowsFailsNobody() throws Exception {
        ResultCodec<String> broken = ResultCodec.of(
                text -> {
                    throw new IOException("cannot write " + text);
                },
                bytes -> "");
        Held held = new Held(joining(), broken);
        Future<String> waiter = ask(joining(), broken);
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(held.result.get()).isEqualTo("result");
        assertThat(waiter.get()).isEqualTo("own 2");
    }

    @Test
    void instanceThatCannotReadAResultMakesTheCallItself() throws Exception {
        ResultCodec<String> broken = ResultCodec.of(Instance.TEXT::encode, bytes -> {
            throw new IOException("unknown format");
        });
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, broken);
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(second.calls().counts().notShareable()).isEqualTo(1);
        await().untilAsserted(() ->
                assertThat(redis.commands().hexists(name(), "pass")).isTrue());
    }

    @Test
    void valueThatWasNotSignedWithTheSecretIsNotBelieved() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        long till = Long.parseLong(redis.commands().time().get(0)) + 10;
        redis.commands().hset(name(), "value", "\1poison, and as long as a signature is, which it is not");
        redis.commands().hset(name(), "answer", "1000 " + till + "000000");
        redis.commands().publish(name(), "1000");
        assertThat(waiter.get()).isEqualTo("own 2");
        held.end.complete("result");
        assertThat(held.result.get()).isEqualTo("result");
    }

    @Test
    void interruptedWaiterLeavesNothingBehind() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        assertThat(second.calls().node().subscriptions().channelCount()).isEqualTo(1);
        waiter.cancel(true);
        awaitWaiters(0);
        await().until(() -> second.calls().node().subscriptions().channelCount() == 0);
        held.end.complete("result");
        assertThat(calls).hasValue(1);
    }

    @Test
    void afterTheInterruptionOfTheLeaderAWaiterMakesTheCall() throws Exception {
        Instance first = joining();
        CountDownLatch begun = new CountDownLatch(1);
        Callable<String> blocked = () -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return "never";
        };
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        Future<String> leader = threads.submit(() -> executor.execute("key", first.shared("key", blocked)));
        begun.await();
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        leader.cancel(true);
        assertThat(waiter.get()).isEqualTo("own 1");
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
    void afterTheLastCallerOfALeadersFutureHasLeftAWaiterMakesTheCall() throws Exception {
        CompletableFuture<String> abandoned = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor first = new FutureCallableGroupCollapseExecutor();
        FutureCallableGroupCollapseExecutor second = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> leader = first.execute("key", stage(joining(), abandoned));
        await().until(() -> calls.get() == 1);
        CompletableFuture<String> waiter =
                second.execute("key", stage(joining(), CompletableFuture.completedFuture("second")));
        awaitWaiters(1);
        leader.cancel(true);
        assertThat(waiter.get()).isEqualTo("second");
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

    private Callable<CompletionStage<String>> stage(Instance instance, CompletableFuture<String> answer) {
        return instance.calls()
                .sharedStage(
                        "key",
                        () -> {
                            calls.incrementAndGet();
                            return answer;
                        },
                        Instance.TEXT);
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
    void aMessageThatIsLostCostsNoMoreThanTheWaitAllows() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofMillis(200)));
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 1);
        second.calls().node().subscriptions().disconnect();
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 0);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
    }

    @Test
    void waiterOfWhichRedisKnowsNothingAnyMoreAsksAnew() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofMillis(200)));
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        redis.commands().flushall();
        assertThat(waiter.get()).isEqualTo("own 2"); // while the first call is under way, of which nobody knows
        held.end.complete("forgotten");
        assertThat(held.result.get()).isEqualTo("forgotten");
    }

    @Test
    void nothingIsKeptOfAKeyWithoutCallers() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxWait(Duration.ofSeconds(1)));
        ask(second, Instance.TEXT);
        awaitWaiters(1);
        long atMost = redis.commands().pttl(name());
        assertThat(atMost).isBetween(1L, 60_000L);
        held.end.complete("result");
        held.result.get();
        await().until(() -> second.calls().node().subscriptions().channelCount() == 0);
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 0);
    }

    @Test
    void keysStandInRedisAsHashes() throws Exception {
        Instance only = instance();
        String secretKey = "token 4711 of alice@example.org";
        only.shared(secretKey, () -> "result").call();
        List<String> names = redis.commands().keys("*");
        assertThat(names).hasSize(1);
        assertThat(names.get(0)).matches("collapse:1:\\{[A-Za-z0-9_-]{43}}");
        String dump = new String(redis.commands().dump(names.get(0)), StandardCharsets.ISO_8859_1)
                + redis.commands().hgetall(names.get(0));
        assertThat(dump).contains("result").doesNotContain("4711").doesNotContain("alice");
    }

    @Test
    void afterTheEndEveryCallIsMadeAlone() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofMillis(200)));
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        second.calls().close();
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(second.shared("key", () -> "alone").call()).isEqualTo("alone");
        assertThat(second.calls().counts().available()).isFalse();
        held.end.complete("result");
    }

    @Test
    void secretsThatAreTooShortAreRefused() {
        assertThatThrownBy(() -> ClusterOptions.builder(new byte[15]))
                .hasMessageContaining("secret is of 15 bytes")
                .hasMessageContaining("openssl rand");
        assertThatThrownBy(() -> Instance.options().prefix("a{b}")).hasMessageContaining("prefix is \"a{b}\"");
        assertThatThrownBy(() -> Instance.options().maxDelay(Duration.ZERO)).hasMessageContaining("maxDelay is PT0S");
        assertThatThrownBy(() -> Instance.options().maxWaitRatio(1)).hasMessageContaining("maxWaitRatio is 1.0");
        assertThatThrownBy(() -> Instance.options().maxResultSize(0)).hasMessageContaining("maxResultSize is 0");
    }
}
