package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Calls are shared through a Redis Cluster of two masters, whatever slot their key has. */
class RedisClusterTests {

    private static final int SLOTS = 16384;
    private static final int KEYS = 20;

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ClusterRedis> nodes = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 2; i++) {
            nodes.add(new ClusterRedis(
                    "cluster-enabled yes", "dir " + directory, "cluster-config-file nodes-" + i + ".conf"));
        }
        for (int i = 0; i < 2; i++) {
            int[] slots = new int[SLOTS / 2];
            for (int slot = 0; slot < slots.length; slot++) {
                slots[slot] = i * slots.length + slot;
            }
            nodes.get(i).commands().clusterAddSlots(slots);
        }
        nodes.get(0).commands().clusterMeet("127.0.0.1", nodes.get(1).port());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> nodes.stream()
                        .allMatch(node -> node.commands().clusterInfo().contains("cluster_state:ok")
                                && node.commands().clusterInfo().contains("cluster_known_nodes:2")));
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        factories.forEach(LettuceConnectionFactory::destroy);
        for (ClusterRedis node : nodes) {
            node.close();
        }
    }

    private ClusterCalls instance() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(new RedisClusterConfiguration(
                List.of("127.0.0.1:" + nodes.get(0).port())));
        factory.afterPropertiesSet();
        factory.start();
        factories.add(factory);
        return new ClusterCalls(
                factory,
                Instance.options()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofSeconds(20))
                        .build());
    }

    @Test
    void callsOfKeysInAllSlotsAreShared() throws Exception {
        try (ClusterCalls first = instance();
                ClusterCalls second = instance()) {
            for (int i = 0; i < KEYS; i++) {
                String key = "key " + i;
                CountDownLatch begun = new CountDownLatch(1);
                CountDownLatch end = new CountDownLatch(1);
                Future<String> leader = threads.submit(() -> first.shared(
                                key,
                                () -> {
                                    begun.countDown();
                                    end.await();
                                    return "result of " + key;
                                },
                                Instance.TEXT)
                        .call());
                begun.await();
                Future<String> waiter = threads.submit(
                        () -> second.shared(key, () -> "own", Instance.TEXT).call());
                await().until(() -> second.node().subscriptions.channelCount() == 1);
                end.countDown();
                assertThat(waiter.get()).isEqualTo("result of " + key);
                assertThat(leader.get()).isEqualTo("result of " + key);
            }
            assertThat(second.counts().taken()).isEqualTo(KEYS);
            assertThat(nodes).allMatch(node -> node.commands().dbsize() > 0);
        }
    }
}
