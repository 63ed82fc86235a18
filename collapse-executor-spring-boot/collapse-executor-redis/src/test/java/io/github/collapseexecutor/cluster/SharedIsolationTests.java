package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two users on each of two instances, for many rounds: {@code -Dcluster.rounds=10000}. In a round each of the sixteen callers asks once. All
 * that Redis is sent meanwhile is searched.
 */
class SharedIsolationTests extends SharingFixture {

    private static final long ROUNDS = Long.getLong("cluster.rounds", 50);
    private static final Duration LONGEST = Duration.ofSeconds(30).plusMillis(100 * ROUNDS);

    @ParameterizedTest
    @EnumSource(SharingClient.class)
    @Timeout(3600)
    void everyAnswerIsForTheUserThatAskedAndRedisSeesNone(SharingClient kind) throws Exception {
        List<Instance> two = List.of(small(), small());
        try (RedisMonitor monitor = new RedisMonitor(redis.port(), HttpLoad.SECRETS);
                HttpLoad load = new HttpLoad(kind, two, 4)) {
            await().atMost(LONGEST)
                    .until(() -> load.answers() >= ROUNDS * load.callers()
                            || !load.failures().isEmpty());
            load.end();
            assertThat(load.failures()).isEmpty();
            assertThat(monitor.found()).isEmpty();
            assertThat(monitor.commands()).isGreaterThan(ROUNDS);
        }
        assertThat(two).anyMatch(instance -> instance.calls().counts().taken() > 0);
    }

    private Instance small() {
        return instance(Instance.options().maxWaitRatio(HttpLoad.RATIO).maxResultSize(HttpLoad.LARGE));
    }

    /** So that the search is known to find something. */
    @Test
    void theMonitorSeesWhatRedisIsSent() throws Exception {
        try (RedisMonitor monitor = new RedisMonitor(redis.port(), List.of("visible"))) {
            await().until(() -> monitor.commands() > 0);
            redis.commands().set("name", "a visible value");
            await().until(() -> monitor.found().equals(List.of("visible")));
        }
    }
}
