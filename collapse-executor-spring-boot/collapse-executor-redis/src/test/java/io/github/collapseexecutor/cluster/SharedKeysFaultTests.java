package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis fails while the callers of three instances read registers by bulk calls: no call fails, and no answer is older than its question. */
class SharedKeysFaultTests {

    private static final int KEYS = 6;
    private static final int CALLERS_EACH = 6;
    /** No caller waits longer, whatever the machine is busy with. The pause of Redis lasts longer. */
    private static final long LONGEST = Duration.ofMillis(1500).toNanos();

    private static final long PAUSE = Duration.ofSeconds(3).toNanos();

    private final List<LocalRegister> registers =
            IntStream.range(0, KEYS).mapToObj(i -> new LocalRegister(12)).toList();
    private final List<Instance> instances = new ArrayList<>();
    private final List<Thread> callers = new ArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final LongAdder answers = new LongAdder();
    private final LongAdder old = new LongAdder();
    private final AtomicLong longest = new AtomicLong();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private ClusterRedis redis;

    @BeforeEach
    void start() throws Exception {
        redis = new ClusterRedis();
        for (int i = 0; i < 3; i++) {
            Instance instance = new Instance(
                    redis, Instance.options().maxDelay(Duration.ofMillis(50)).build());
            instances.add(instance);
            BlockingCollapseExecutor<Integer, Long> executor = CollapseExecutors.blockingByKey(
                    instance.calls().sharedByKey("registers", this::readAll, RegisterLoad.NUMBER),
                    MissingKeyPolicy.FAILURE,
                    CollapseOptions.defaults());
            for (int caller = 0; caller < CALLERS_EACH; caller++) {
                callers.add(new Thread(() -> read(executor)));
            }
        }
        callers.forEach(Thread::start);
        awaitSharing();
        longest.set(0);
    }

    @AfterEach
    void stop() throws Exception {
        endLoad();
        instances.forEach(Instance::close);
        redis.close();
    }

    private Map<Integer, Long> readAll(Collection<Integer> keys) throws InterruptedException {
        Map<Integer, Long> values = new HashMap<>();
        for (int key : keys) {
            values.put(key, registers.get(key).read());
        }
        return values;
    }

    private void read(BlockingCollapseExecutor<Integer, Long> executor) {
        while (!stopped.get()) {
            try {
                int key = ThreadLocalRandom.current().nextInt(KEYS);
                LocalRegister register = registers.get(key);
                if (ThreadLocalRandom.current().nextInt(20) == 0) {
                    register.write();
                }
                long atLeast = register.ended();
                long begun = System.nanoTime();
                if (executor.execute(key) < atLeast) {
                    old.increment();
                }
                longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                answers.increment();
            } catch (Throwable failure) {
                failures.add(failure);
            }
        }
    }

    private void endLoad() throws InterruptedException {
        stopped.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void awaitSharing() {
        long[] before =
                instances.stream().mapToLong(SharedKeysFaultTests::taken).toArray();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            for (int i = 0; i < before.length; i++) {
                assertThat(taken(instances.get(i))).isGreaterThan(before[i] + 3);
                assertThat(instances.get(i).calls().counts().available()).isTrue();
            }
        });
    }

    private static long taken(Instance instance) {
        return instance.calls().counts().taken();
    }

    private void awaitFallAndAnswers() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(instances)
                        .noneMatch(instance -> instance.calls().counts().available()));
        long before = answers.sum();
        await().atMost(Duration.ofSeconds(30)).until(() -> answers.sum() > before + 200);
    }

    private void assertNobodyNoticed() throws InterruptedException {
        endLoad();
        assertThat(failures).isEmpty();
        assertThat(old.sum()).isZero();
        assertThat(longest.get()).isLessThan(LONGEST);
    }

    @Test
    void redisIsKilledAndStartedAgain() throws Exception {
        redis.kill();
        awaitFallAndAnswers();
        redis.start();
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void redisIsPausedAndForgetsEverything() throws Exception {
        redis.signal("STOP");
        long begun = System.nanoTime();
        awaitFallAndAnswers();
        await().pollDelay(Duration.ofSeconds(3)).until(() -> System.nanoTime() - begun > PAUSE);
        redis.resume();
        awaitSharing();
        for (int i = 0; i < 50; i++) {
            redis.commands().flushall();
            long before = answers.sum();
            await().pollInterval(Duration.ofMillis(1)).until(() -> answers.sum() > before);
        }
        awaitSharing();
        assertNobodyNoticed();
    }
}
