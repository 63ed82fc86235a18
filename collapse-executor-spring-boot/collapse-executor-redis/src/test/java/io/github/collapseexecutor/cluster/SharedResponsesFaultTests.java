package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis fails while users on two instances ask for what is theirs: no request fails, no answer is wrong or old, and sharing comes back. */
class SharedResponsesFaultTests {

    /** Longer than the Redis client waits between two attempts to connect, which grows to half a minute. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    /** What happens to Redis. */
    private enum Fault {
        KILLED {
            @Override
            void begin(ClusterRedis redis) throws Exception {
                redis.kill();
            }

            @Override
            void end(ClusterRedis redis) throws Exception {
                redis.start();
            }
        },
        PAUSED {
            @Override
            void begin(ClusterRedis redis) throws Exception {
                redis.signal("STOP");
            }

            @Override
            void end(ClusterRedis redis) throws Exception {
                redis.resume();
            }
        },
        FULL {
            @Override
            void begin(ClusterRedis redis) {
                redis.commands().configSet("maxmemory", "1"); // the policy is noeviction
            }

            @Override
            void end(ClusterRedis redis) {
                redis.commands().configSet("maxmemory", "0");
            }
        },
        LOCKED {
            @Override
            void begin(ClusterRedis redis) {
                redis.commands().configSet("requirepass", "secret");
                redis.disconnectOthers();
            }

            @Override
            void end(ClusterRedis redis) {
                redis.commands().configSet("requirepass", "");
            }
        };

        abstract void begin(ClusterRedis redis) throws Exception;

        abstract void end(ClusterRedis redis) throws Exception;
    }

    private final List<Instance> instances = new ArrayList<>();
    private ClusterRedis redis;

    @BeforeEach
    void start() throws Exception {
        redis = new ClusterRedis();
        for (int i = 0; i < 2; i++) {
            instances.add(new Instance(
                    redis,
                    Instance.options()
                            .maxDelay(Duration.ofMillis(50))
                            .maxWaitRatio(HttpLoad.RATIO)
                            .maxResultSize(HttpLoad.LARGE)
                            .build()));
        }
    }

    @AfterEach
    void stop() throws Exception {
        instances.forEach(Instance::close);
        redis.close();
    }

    /** Every adapter, and every fault with a blocking adapter and one of callbacks. */
    static Stream<Arguments> faults() {
        return Stream.concat(
                Arrays.stream(SharingClient.values()).map(kind -> Arguments.of(kind, Fault.KILLED)),
                Stream.of(Fault.PAUSED, Fault.FULL, Fault.LOCKED)
                        .flatMap(fault -> Stream.of(SharingClient.REQUEST_FACTORY, SharingClient.WEB_CLIENT_CONNECTOR)
                                .map(kind -> Arguments.of(kind, fault))));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void noRequestFailsAndNoAnswerIsWrong(SharingClient kind, Fault fault) throws Exception {
        try (HttpLoad load = new HttpLoad(kind, instances, 2)) {
            awaitSharing();
            fault.begin(redis);
            await().atMost(RECOVERY)
                    .until(() -> instances.stream()
                            .noneMatch(each -> each.calls().counts().available()));
            awaitAnswers(load, 200);
            fault.end(redis);
            awaitSharing();
            load.end();
            assertThat(load.failures()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SharingClient.class,
            names = {"REQUEST_FACTORY", "WEB_CLIENT_CONNECTOR"})
    void redisForgetsEverythingAgainAndAgain(SharingClient kind) throws Exception {
        try (HttpLoad load = new HttpLoad(kind, instances, 2)) {
            awaitSharing();
            for (int i = 0; i < 50; i++) {
                redis.commands().flushall();
                awaitAnswers(load, 1);
            }
            awaitSharing();
            load.end();
            assertThat(load.failures()).isEmpty();
        }
    }

    private static void awaitAnswers(HttpLoad load, int count) {
        long before = load.answers();
        await().atMost(RECOVERY).pollInterval(Duration.ofMillis(2)).until(() -> load.answers() >= before + count);
    }

    private void awaitSharing() {
        long[] before = instances.stream().mapToLong(this::taken).toArray();
        await().atMost(RECOVERY).untilAsserted(() -> {
            for (int i = 0; i < before.length; i++) {
                assertThat(taken(instances.get(i))).isGreaterThan(before[i]);
                assertThat(instances.get(i).calls().counts().available()).isTrue();
            }
        });
    }

    private long taken(Instance instance) {
        return instance.calls().counts().taken();
    }
}
