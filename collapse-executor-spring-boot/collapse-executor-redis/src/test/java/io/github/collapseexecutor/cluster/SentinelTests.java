package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisSentinel;

/** A master that Sentinel watches is killed under load, and its replica takes over. */
class SentinelTests {

    private static final String MASTER = "watched";

    private final LocalRegister register = new LocalRegister(20);
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();
    private final List<ClusterCalls> instances = new ArrayList<>();
    private ClusterRedis master;
    private ClusterRedis replica;
    private RedisSentinel sentinel;

    @BeforeEach
    void start() throws IOException {
        master = new ClusterRedis();
        replica = new ClusterRedis("replicaof 127.0.0.1 " + master.port(), "repl-diskless-sync-delay 0");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> replica.commands().info("replication").contains("master_link_status:up"));
        int port = freePort();
        sentinel = RedisSentinel.newRedisSentinel()
                .executableProvider(ClusterRedis.EXECUTABLE)
                .port(port)
                .masterName(MASTER)
                .masterPort(master.port())
                .quorumSize(1)
                .downAfterMilliseconds(500L)
                .failOverTimeout(5_000L)
                .build();
        sentinel.start();
        awaitKnownReplica(port);
        for (int i = 0; i < 3; i++) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(
                    new RedisSentinelConfiguration().master(MASTER).sentinel("127.0.0.1", port),
                    LettuceClientConfiguration.builder()
                            .shutdownTimeout(Duration.ZERO)
                            .build());
            factory.afterPropertiesSet();
            factory.start();
            factories.add(factory);
            instances.add(new ClusterCalls(
                    factory, Instance.options().maxDelay(Duration.ofMillis(50)).build()));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void awaitKnownReplica(int port) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        try (StatefulRedisSentinelConnection<String, String> connection = client.connectSentinel()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> connection.sync().replicas(MASTER).stream()
                            .anyMatch(known -> "ok".equals(known.get("master-link-status"))));
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @AfterEach
    void stop() throws IOException {
        instances.forEach(ClusterCalls::close);
        factories.forEach(LettuceConnectionFactory::destroy);
        sentinel.stop();
        replica.close();
        master.close();
    }

    private void awaitSharing() {
        long[] before =
                instances.stream().mapToLong(calls -> calls.counts().taken()).toArray();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (int i = 0; i < before.length; i++) {
                assertThat(instances.get(i).counts().taken()).isGreaterThan(before[i] + 3);
            }
        });
    }

    @Test
    void aReplicaTakesOverAndNobodyNotices() throws Exception {
        RegisterLoad load = new RegisterLoad(register, 5, 8, instances);
        awaitSharing();
        master.kill();
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(RedisException.class) // Sentinel cuts the clients of a new master off once
                .until(() -> replica.commands().info("replication").contains("role:master"));
        awaitSharing();
        load.end();
        assertThat(load.failures()).isEmpty();
        assertThat(load.stale()).isZero();
        assertThat(replica.names()).isNotEmpty();
    }
}
