package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.SetArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Redis fails in every way that a test can bring about, while the callers of three instances read a register: no call fails, no answer
 * is older than its question, nobody waits for Redis, and the instances share again when it is back.
 */
class RedisFaultTests {

    private static final int CALLERS_EACH = 8;

    /** No caller waits longer, whatever the machine is busy with. Faults last longer. */
    private static final Duration LONGEST = Duration.ofMillis(2500);

    private static final Duration FAULT = Duration.ofSeconds(3);

    private final LocalRegister register = new LocalRegister(20);
    private final List<Instance> instances = new ArrayList<>();
    private ClusterRedis redis;
    private RegisterLoad load;

    @BeforeEach
    void start() throws Exception {
        redis = new ClusterRedis();
        for (int i = 0; i < 3; i++) {
            instances.add(new Instance(
                    redis, Instance.options().maxDelay(Duration.ofMillis(50)).build()));
        }
        load = new RegisterLoad(
                register,
                5,
                CALLERS_EACH,
                instances.stream().map(Instance::calls).toList());
        awaitSharing();
        load.forgetTimes();
    }

    @AfterEach
    void stop() throws Exception {
        load.end();
        instances.forEach(Instance::close);
        redis.close();
    }

    private void awaitSharing() {
        long[] before = instances.stream().mapToLong(this::taken).toArray();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            for (int i = 0; i < before.length; i++) {
                assertThat(taken(instances.get(i))).isGreaterThan(before[i] + 3);
                assertThat(instances.get(i).calls().counts().available()).isTrue();
            }
        });
    }

    private long taken(Instance instance) {
        return instance.calls().counts().taken();
    }

    private void awaitAnswers() {
        long before = load.answers();
        await().atMost(Duration.ofSeconds(30)).until(() -> load.answers() > before + 200);
    }

    private void awaitFall() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(instances)
                        .noneMatch(instance -> instance.calls().counts().available()));
    }

    private void assertNobodyNoticed() throws InterruptedException {
        load.end();
        assertThat(load.failures()).isEmpty();
        assertThat(load.stale()).isZero();
        assertThat(Duration.ofNanos(1000 * load.microsOf(1))).isLessThan(LONGEST);
    }

    /** That a connection is lost is no matter of rights, of which an instance warns once. */
    @Test
    void redisIsKilledAndStartedAgain() throws Exception {
        try (LogRecords log = new LogRecords()) {
            redis.kill();
            awaitFall();
            awaitAnswers();
            redis.start();
            awaitSharing();
            assertNobodyNoticed();
            assertThat(log.messages())
                    .anyMatch(line -> line.contains("makes its calls alone"))
                    .noneMatch(line -> line.contains("publish and to subscribe"));
        }
    }

    @Test
    void redisIsPaused() throws Exception {
        redis.signal("STOP");
        long begun = System.nanoTime();
        awaitFall();
        await().pollDelay(FAULT).until(() -> System.nanoTime() - begun > FAULT.toNanos());
        redis.resume();
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void redisForgetsEverythingAgainAndAgain() throws Exception {
        for (int i = 0; i < 200; i++) {
            redis.commands().flushall();
            long before = load.answers();
            await().pollInterval(Duration.ofMillis(1)).until(() -> load.answers() > before);
        }
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void redisIsFull() throws Exception {
        redis.commands().configSet("maxmemory", "1");
        awaitFall();
        awaitAnswers();
        redis.commands().configSet("maxmemory", "0");
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void redisRevokesTheRightToRunScripts() throws Exception {
        redis.commands()
                .aclSetuser(
                        "default",
                        AclSetuserArgs.Builder.removeCommand(CommandType.EVAL).removeCommand(CommandType.EVALSHA));
        awaitFall();
        awaitAnswers();
        redis.commands().aclSetuser("default", AclSetuserArgs.Builder.allCommands());
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void redisWantsAPassword() throws Exception {
        redis.commands().configSet("requirepass", "secret");
        redis.disconnectOthers();
        awaitFall();
        awaitAnswers();
        redis.commands().configSet("requirepass", "");
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void aForeignValueStandsUnderTheName() throws Exception {
        String name = redis.commands().scan().getKeys().get(0);
        redis.commands().set(name, "foreign", SetArgs.Builder.px(FAULT.toMillis()));
        awaitAnswers();
        assertThat(instances).allMatch(instance -> instance.calls().counts().available());
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !"string".equals(redis.commands().type(name)));
        awaitSharing();
        assertNobodyNoticed();
    }

    @Test
    void redisIsReadOnly() throws Exception {
        redis.commands().replicaof("localhost", redis.port());
        awaitFall();
        awaitAnswers();
        redis.commands().replicaofNoOne();
        awaitSharing();
        assertNobodyNoticed();
    }
}
