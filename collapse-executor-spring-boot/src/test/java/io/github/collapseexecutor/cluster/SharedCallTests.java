package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
        Instance instance = new Instance(redis);
        instances.add(instance);
        return instance;
    }

    @Test
    void loneCallIsMadeByItsCaller() throws Exception {
        Instance only = instance();
        Thread here = Thread.currentThread();
        assertThat(only.shared("key", () -> Thread.currentThread() == here ? "here" : "elsewhere").call())
                .isEqualTo("here");
        assertThat(only.calls().counts().led()).isEqualTo(1);
    }

    @Test
    void callersThatAskDuringCallsShareTheNextOne() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        List<Future<String>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Instance instance = instance();
            results.add(threads.submit(() -> instance.shared("key", () -> {
                        int call = calls.incrementAndGet();
                        begun.countDown();
                        go.await();
                        return "call " + call;
                    })
                    .call()));
        }
        begun.await();
        go.countDown();
        for (Future<String> result : results) {
            System.out.println(result.get());
        }
        System.out.println(calls);
        instances.forEach(i -> System.out.println(i.calls().counts()));
    }
}
