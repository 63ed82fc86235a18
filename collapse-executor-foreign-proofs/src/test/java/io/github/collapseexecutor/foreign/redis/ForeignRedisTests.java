package io.github.collapseexecutor.foreign.redis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Instances share calls through servers and clients of Redis at random, while something happens: no caller notices. {@code foreign.minutes} says how
 * long further seeds are drawn, and {@code foreign.seed} gives one again.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS) // as long as foreign.minutes says
class ForeignRedisTests {

    private static final int FIXED = 8;

    private static final Warnings WARNINGS = new Warnings();

    @TempDir
    Path folder;

    @BeforeAll
    static void silenceDrivers() {
        for (String name : List.of("io.lettuce", "org.redisson", "io.netty", "redis.embedded", "org.springframework")) {
            ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.OFF);
        }
    }

    @Test
    void nobodyNoticesWhatHappensToRedis() throws Exception {
        Long again = Long.getLong("foreign.seed");
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(Integer.getInteger("foreign.minutes", 0));
        List<String> differences = new ArrayList<>();
        long seed = again == null ? 1 : again;
        do {
            SetUp setUp = SetUp.of(seed);
            SharingRun run = new SharingRun(setUp);
            WARNINGS.forget();
            List<String> found = run.differences(Files.createTempDirectory(folder, "redis"));
            System.out.println(setUp + ": " + run.answers() + " answers, " + run.calls() + " calls, the longest "
                    + run.longestMillis() + " ms " + found + " " + WARNINGS);
            if (!found.isEmpty()) {
                differences.add("-Dforeign.seed=" + seed + " " + setUp + "\n    " + String.join("\n    ", found));
            }
            seed = seed > 0 && seed < FIXED ? seed + 1 : new Random().nextLong();
        } while (again == null && ((seed > 0 && seed <= FIXED) || System.nanoTime() < until));
        assertThat(String.join("\n", differences)).isEmpty();
    }
}
