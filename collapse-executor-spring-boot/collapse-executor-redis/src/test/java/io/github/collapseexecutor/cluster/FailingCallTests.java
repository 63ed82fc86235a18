package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While the backend fails or hangs, no caller waits for more than one failed call, whatever other instances begin meanwhile.
 *
 * <p>{@code -Dcluster.millis=20000} is the long form.
 */
class FailingCallTests extends SharingFixture {

    private static final int MILLIS = Integer.getInteger("cluster.millis", 2000);

    private final List<Held> newcomers = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(JoinMode.class)
    void newcomersCallsDoNotHoldUpAWaiterWhoseCallHasFailed(JoinMode mode) throws Exception {
        Held first = new Held(instance(eager().joinMode(mode)), Instance.TEXT);
        awaitMillis(50); // a gap, which has a patient waiter wait for a hundred times as long
        Held second = new Held(instance(eager()), Instance.TEXT);
        Instance waiting = instance(Instance.options().maxWaitRatio(0.99).joinMode(mode));
        Future<String> waiter = ask(waiting, Instance.TEXT);
        awaitWaiters(1);
        Held covering = new Held(instance(eager()), Instance.TEXT);
        Held newcomer = new Held(instance(eager()), Instance.TEXT);
        int made = calls.get();
        Held failing = mode == JoinMode.FRESH ? covering : first;
        failing.end.completeExceptionally(new IOException("the backend is broken"));
        assertThat(waiter.get(8, TimeUnit.SECONDS)).isEqualTo("own " + (made + 1));
        assertThat(waiting.calls().counts().failedElsewhere()).isEqualTo(1);
        assertThat(newcomer.result).isNotDone();
        for (Held held : new Held[] {first, second, covering, newcomer}) {
            held.end.complete("late");
        }
    }

    @Test
    void afterAFailedCallNobodyWaitsForAnotherUntilCallsSucceedAgain() throws Exception {
        Held failing = new Held(joining(), Instance.TEXT);
        failing.end.completeExceptionally(new IOException("the backend is broken"));
        assertThatThrownBy(failing.result::get).hasRootCauseInstanceOf(IOException.class);
        await().until(() -> "".equals(redis.commands().hget(name(), "leases")));
        Held probe = new Held(joining(), Instance.TEXT);
        Instance alone = joining();
        assertThat(ask(alone, Instance.TEXT).get(8, TimeUnit.SECONDS)).isEqualTo("own 3");
        assertThat(alone.calls().counts().failedElsewhere()).isEqualTo(1);
        probe.end.complete("well again");
        probe.result.get();
        for (int i = 0; i < 3; i++) {
            ask(joining(), Instance.TEXT).get();
        }
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete("shared");
        assertThat(waiter.get()).isEqualTo("shared");
    }

    /** Newcomers begin calls that hang, each of which would cover the waiter for another while. */
    @ParameterizedTest
    @CsvSource({"FRESH, false", "IN_FLIGHT, false", "FRESH, true"})
    void callsThatHangDoNotHoldUpAWaiterForEver(JoinMode mode, boolean losesTickets) throws Exception {
        Held hanging = new Held(instance(eager()), Instance.TEXT);
        Instance waiting = new Instance(
                redis,
                Instance.options()
                        .maxDelay(Duration.ofSeconds(1))
                        .maxWait(Duration.ofMillis(1500))
                        .joinMode(mode)
                        .maxWaitRatio(0.99)
                        .build());
        instances.add(waiting);
        awaitMillis(50);
        Held second = new Held(instance(eager()), Instance.TEXT);
        Future<String> waiter = ask(waiting, Instance.TEXT);
        awaitWaiters(1);
        int made = 0;
        while (!waiter.isDone() && made < 80) {
            Held newcomer = new Held(instance(eager()), Instance.TEXT);
            newcomers.add(newcomer);
            made++;
            if (losesTickets) {
                redis.commands().hkeys(name()).stream()
                        .filter(field -> field.matches("w.{16}"))
                        .forEach(field -> redis.commands().hdel(name(), field));
            }
            awaitMillis(100);
        }
        assertThat(waiter).isDone();
        assertThat(waiter.get()).startsWith("own");
        hanging.end.complete("late");
        second.end.complete("late");
        newcomers.forEach(newcomer -> newcomer.end.complete("late"));
    }

    /** The times depend on the machine, so that only the long form asserts them. */
    @Test
    void whileTheBackendFailsCallersTakeAsLongAsWithoutSharing() throws Exception {
        long without = microsOfFailures(false);
        long with = microsOfFailures(true);
        System.out.printf("failing calls of 30 to 70 ms, p99: %d us without sharing, %d us with%n", without, with);
        assertThat(with).isPositive();
        if (MILLIS >= 10_000) {
            assertThat(with).isLessThanOrEqualTo(without * 3 / 2);
        }
    }

    private long microsOfFailures(boolean shared) throws Exception {
        List<ClusterCalls> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            members.add(instance(Instance.options().maxDelay(Duration.ofMillis(500)))
                    .calls());
        }
        RegisterLoad load = new RegisterLoad(new FailingRegister(), 0, 10, members, shared);
        await().until(() -> load.failures().size() > 100);
        load.forgetTimes();
        long begun = System.nanoTime();
        await().atMost(Duration.ofSeconds(100)).until(() -> System.nanoTime() - begun > 500_000L * MILLIS);
        load.end();
        assertThat(load.answers()).isZero();
        return load.microsOf(0.99);
    }

    private static final class FailingRegister implements Register {

        private final LocalRegister register = new LocalRegister(30, 70);

        @Override
        public long read() throws Exception {
            throw new IOException("broken after " + register.read());
        }

        @Override
        public void write() {
            register.write();
        }

        @Override
        public long ended() {
            return register.ended();
        }
    }

    private static ClusterOptions.Builder eager() {
        return Instance.options().maxWaitRatio(0).lease(Duration.ofSeconds(20));
    }

    /** By the clock of Redis, by which gaps are measured. */
    private static void awaitMillis(long millis) {
        long since = micros();
        await().pollInterval(Duration.ofMillis(5)).until(() -> micros() - since > 1000 * millis);
    }

    private static long micros() {
        List<String> time = redis.commands().time();
        return 1_000_000 * Long.parseLong(time.get(0)) + Long.parseLong(time.get(1));
    }
}
