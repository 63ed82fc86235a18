package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Instances share calls where that saves calls: of those that ask at the same moment, the first makes one, and another one makes that of all others. Calls
 * that end sooner than Redis answers are not shared.
 *
 * <p>{@code -Dcluster.millis=20000} is the long form, which prints from what length of a call on it pays.
 */
class ShortCallsTests extends SharingFixture {

    private static final boolean LONG = Integer.getInteger("cluster.millis", 2000) >= 10_000;
    private static final int INSTANCES = 3;
    private static final int CALLERS_EACH = 4;

    /** Has an instance know the length of calls, and Redis. */
    private static Instance knowing(Instance instance, Duration length) throws Exception {
        return knowing(instance, Instance.bytes(name()), length);
    }

    private static Instance knowing(Instance instance, byte[] name, Duration length) throws Exception {
        instance.shared("another key", () -> "own").call();
        for (int i = 0; i < ClusterCallTimes.FEWEST; i++) {
            instance.calls().node().calls.took(name, length.toNanos());
        }
        return instance;
    }

    private static ClusterCounts counts(Instance instance) {
        return instance.calls().counts();
    }

    private static long scripts() {
        return redis.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .sum();
    }

    @Test
    void instancesThatAskAtTheSameMomentMakeTwoCalls() throws Exception {
        ClusterOptions.Builder options = Instance.options().maxWaitRatio(0.5);
        Held first = new Held(knowing(instance(options), Duration.ofSeconds(20)), Instance.TEXT);
        List<Future<String>> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(ask(knowing(instance(options), Duration.ofSeconds(20)), Instance.TEXT));
        }
        awaitWaiters(3);
        first.end.complete("first");
        for (Future<String> other : others) {
            assertThat(other.get()).isEqualTo("own 2");
        }
        assertThat(calls.get()).isEqualTo(2);
    }

    /** A call that the machine holds up may take longer than Redis: then, none of this is shown, and it is tried again. */
    @Test
    void callsThatEndSoonerThanRedisAnswersAreMadeWithoutIt() {
        await().untilAsserted(this::shortCallsAreMadeWithoutRedis);
    }

    private void shortCallsAreMadeWithoutRedis() throws Exception {
        Instance instance = knowing(instance(), Duration.ZERO);
        long before = scripts();
        for (int i = 1; i < ClusterCallTimes.TRIAL; i++) {
            instance.shared("key", () -> "own").call();
        }
        assertThat(counts(instance).tooShort()).isEqualTo(ClusterCallTimes.TRIAL - 1);
        assertThat(counts(instance).alone()).isEqualTo(ClusterCallTimes.TRIAL - 1);
        assertThat(scripts() - before).isLessThanOrEqualTo(1); // the end of the other key
        long led = counts(instance).led();
        instance.shared("key", () -> "own").call(); // in case that Redis answers sooner now
        assertThat(counts(instance).led()).isEqualTo(led + 1);
    }

    /** One call a second may probe a Redis that was given up: it must be one that asks. */
    @Test
    void callsThatAreTooShortDoNotKeepOthersFromProbingRedis() throws Exception {
        Instance instance = knowing(instance(Instance.options().maxDelay(Duration.ofMillis(500))), Duration.ZERO);
        redis.signal("STOP");
        await().until(() -> {
            instance.shared("another key", () -> "own").call();
            return !counts(instance).available();
        });
        redis.resume();
        long begun = System.nanoTime();
        await().until(() -> System.nanoTime() - begun > 2 * Breaker.PAUSE_NANOS);
        instance.shared("key", () -> "own").call();
        long unavailable = counts(instance).unavailable();
        instance.shared("another key", () -> "own").call();
        assertThat(counts(instance).unavailable()).isEqualTo(unavailable);
        assertThat(counts(instance).available()).isTrue();
    }

    @Test
    void callsThatTakeLongerAgainAreShared() throws Exception {
        Instance instance = knowing(instance(), Duration.ZERO);
        instance.shared("key", () -> "own").call();
        assertThat(counts(instance).tooShort()).isEqualTo(1);
        Held longer = new Held(instance, Instance.TEXT);
        long begun = System.nanoTime();
        await().until(() -> System.nanoTime() - begun > 300_000_000L);
        longer.end.complete("later");
        longer.result.get();
        long led = counts(instance).led();
        await().until(() -> {
            instance.shared("key", () -> "own").call();
            return counts(instance).led() > led;
        });
    }

    @Test
    void futureCallsAndKeysOfBulkCallsAreNotSharedEitherWhenTheyAreTooShort() throws Exception {
        Instance instance = knowing(instance(), Duration.ZERO);
        assertThat(stage(instance, CompletableFuture.completedFuture("answer"))
                        .call()
                        .toCompletableFuture()
                        .get())
                .isEqualTo("answer");
        assertThat(counts(instance).tooShort()).isEqualTo(1);
        String key = new String(PlainValues.keyOf(List.of("bulk", 1L)), StandardCharsets.ISO_8859_1);
        knowing(instance, Instance.envelope().nameOf("key", "", key), Duration.ZERO);
        long led = counts(instance).led();
        Map<Long, String> values = instance.calls()
                .<Long, String>sharedByKey("bulk", ShortCallsTests::values, Instance.TEXT)
                .apply(List.of(1L, 2L));
        assertThat(values).isEqualTo(Map.of(1L, "value 1", 2L, "value 2"));
        assertThat(counts(instance).tooShort()).isEqualTo(2);
        assertThat(counts(instance).led()).isEqualTo(led + 1);
    }

    private static Map<Long, String> values(Collection<Long> keys) {
        Map<Long, String> values = new HashMap<>();
        keys.forEach(key -> values.put(key, "value " + key));
        return values;
    }

    /** In each round all callers ask at once; a round begins when the one before has ended. Only the long form asserts what depends on the machine. */
    @Test
    void roundsOfCallersNeedFewerCallsIfTheseTakeLongEnough() throws Exception {
        for (int millis : LONG ? new int[] {0, 1, 2, 5, 10, 20, 30, 60, 100} : new int[] {30}) {
            int rounds = LONG ? 100 : 10;
            Rounds without = rounds(millis, rounds, false);
            Rounds with = rounds(millis, rounds, true);
            System.out.printf(
                    "%d ms: %.1f calls a round without sharing, %.1f with; p50 %.1f ms, %.1f ms; %d of %d batches too short%n",
                    millis,
                    without.calls,
                    with.calls,
                    without.halfMillis,
                    with.halfMillis,
                    with.tooShort,
                    with.tooShort + with.led + with.taken);
            if (LONG && millis >= 20) {
                assertThat(with.calls).isLessThan(0.75 * without.calls);
            }
        }
    }

    private record Rounds(double calls, double halfMillis, long tooShort, long led, long taken) {}

    private Rounds rounds(int millis, int rounds, boolean shared) throws Exception {
        calls.set(0);
        List<Instance> three = IntStream.range(0, INSTANCES)
                .mapToObj(i -> instance(Instance.options().maxDelay(Duration.ofMillis(500))))
                .toList();
        CyclicBarrier barrier = new CyclicBarrier(INSTANCES * CALLERS_EACH);
        List<Future<List<Long>>> callers = new ArrayList<>();
        for (Instance instance : three) {
            BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
            for (int i = 0; i < CALLERS_EACH; i++) {
                callers.add(threads.submit(() -> ask(instance, executor, barrier, rounds, millis, shared)));
            }
        }
        List<Long> nanos = new ArrayList<>();
        for (Future<List<Long>> caller : callers) {
            nanos.addAll(caller.get());
        }
        nanos.sort(null);
        return new Rounds(
                calls.get() / (double) rounds,
                nanos.get(nanos.size() / 2) / 1e6,
                three.stream()
                        .mapToLong(instance -> counts(instance).tooShort())
                        .sum(),
                three.stream().mapToLong(instance -> counts(instance).led()).sum(),
                three.stream().mapToLong(instance -> counts(instance).taken()).sum());
    }

    private List<Long> ask(
            Instance instance,
            BlockingCallableGroupCollapseExecutor executor,
            CyclicBarrier barrier,
            int rounds,
            int millis,
            boolean shared)
            throws Exception {
        Callable<String> call = () -> {
            calls.incrementAndGet();
            Thread.sleep(millis);
            return "result";
        };
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            barrier.await();
            long begun = System.nanoTime();
            executor.execute("key", shared ? instance.shared("key", call) : call);
            nanos.add(System.nanoTime() - begun);
        }
        return nanos;
    }
}
