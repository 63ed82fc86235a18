package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
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

/** Instances that share nothing but Redis, and calls of theirs that a test holds. */
abstract class SharingFixture {

    static ClusterRedis redis;

    final ExecutorService threads = Executors.newCachedThreadPool();
    final List<Instance> instances = new ArrayList<>();
    final AtomicInteger calls = new AtomicInteger();

    @BeforeAll
    static void startRedis() throws Exception {
        redis = new ClusterRedis();
    }

    @AfterAll
    static void stopRedis() throws Exception {
        redis.close();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        instances.forEach(Instance::close);
        awaitLastCommands();
        redis.commands().flushall();
    }

    /**
     * An instance says some things to Redis after its callers have their answers, for example that nobody should wait for a result that it
     * cannot read. Redis carries out all that a connection has sent before it takes the connection for closed. Only then is a flush the end.
     */
    private static void awaitLastCommands() {
        await().until(() -> redis.commands().clientList().lines().count() == 1);
    }

    Instance instance() {
        return instance(Instance.options());
    }

    /** One that joins calls in flight: so a test says who waits for whom. */
    Instance joining() {
        return instance(Instance.options().joinMode(JoinMode.IN_FLIGHT));
    }

    Instance instance(ClusterOptions.Builder options) {
        Instance instance =
                new Instance(redis, options.maxWait(Duration.ofSeconds(20)).build());
        instances.add(instance);
        return instance;
    }

    /** A call that an instance has begun to make, and that ends when the test says so. */
    final class Held {

        final CompletableFuture<String> end = new CompletableFuture<>();
        final Future<String> result;

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

    Future<String> ask(Instance instance, ResultCodec<String> codec) {
        return threads.submit(() -> instance.calls()
                .shared("key", () -> "own " + calls.incrementAndGet(), codec)
                .call());
    }

    static String name() {
        return new String(Instance.envelope().nameOf("call", "", "key"), StandardCharsets.UTF_8);
    }

    void awaitWaiters(int count) {
        await().untilAsserted(() -> assertThat(redis.commands().hgetall(name()).entrySet())
                .filteredOn(field -> field.getKey().matches("w.{16}"))
                .hasSize(count));
    }

    Callable<CompletionStage<String>> stage(Instance instance, CompletableFuture<String> answer) {
        return instance.calls()
                .sharedStage(
                        "key",
                        () -> {
                            calls.incrementAndGet();
                            return answer;
                        },
                        Instance.TEXT);
    }
}
