package io.github.collapseexecutor.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.ReactiveRedisClusterConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.ReactiveScriptingCommands;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Connections that are not to be had, come late or carry something else, and what is left of them. */
class ConnectionTests extends SharingFixture {

    /** A connection factory whose connections come when the test says so. */
    private record LateFactory(LettuceConnectionFactory factory, CountDownLatch gate)
            implements ReactiveRedisConnectionFactory {

        @Override
        public ReactiveRedisConnection getReactiveConnection() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return factory.getReactiveConnection();
        }

        @Override
        public ReactiveRedisClusterConnection getReactiveClusterConnection() {
            return factory.getReactiveClusterConnection();
        }

        @Override
        public DataAccessException translateExceptionIfPossible(RuntimeException failure) {
            return factory.translateExceptionIfPossible(failure);
        }
    }

    /**
     * A connection to a Redis that takes the next question late.
     *
     * @param next set for the question, which resets it
     * @param late when it is taken
     * @param scripts how often the script itself was sent
     */
    private static ReactiveRedisConnection takingLate(
            ReactiveRedisConnection connection,
            AtomicBoolean next,
            CompletableFuture<String> late,
            AtomicInteger scripts) {
        ReactiveScriptingCommands commands = connection.scriptingCommands();
        ReactiveScriptingCommands shown =
                wrapping(ReactiveScriptingCommands.class, commands, (name, result) -> switch (name) {
                    case "evalSha" ->
                        next.getAndSet(false) ? Mono.fromFuture(late).thenMany((Flux<?>) result) : result;
                    case "eval" -> {
                        scripts.incrementAndGet();
                        yield result;
                    }
                    default -> result;
                });
        return wrapping(
                ReactiveRedisConnection.class,
                connection,
                (name, result) -> name.equals("scriptingCommands") ? shown : result);
    }

    private static <T> T wrapping(Class<T> type, T wrapped, BiFunction<String, Object, Object> change) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object result = method.invoke(wrapped, arguments);
            return result == null ? null : change.apply(method.getName(), result);
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** What its waiter leaves behind was withdrawn already. */
    @Test
    void questionThatIsTooLateForTheScriptIsNotAskedAgain() throws Exception {
        LettuceConnectionFactory factory = redis.connectionFactory();
        AtomicBoolean next = new AtomicBoolean();
        CompletableFuture<String> late = new CompletableFuture<>();
        AtomicInteger scripts = new AtomicInteger();
        ReactiveRedisConnectionFactory taking = wrapping(
                ReactiveRedisConnectionFactory.class,
                factory,
                (name, result) -> name.equals("getReactiveConnection")
                        ? takingLate((ReactiveRedisConnection) result, next, late, scripts)
                        : result);
        try (ClusterCalls calls = new ClusterCalls(taking, hasty().build())) {
            awaitLead(calls);
            redis.commands().scriptFlush();
            scripts.set(0);
            next.set(true);
            assertThat(calls.shared("key", () -> "alone", Instance.TEXT).call()).isEqualTo("alone");
            await().until(() -> scripts.get() == 1); // which withdraws it
            redis.commands().scriptFlush();
            late.complete("now");
            awaitLead(calls); // over the same connection, behind what the late answer has sent
            assertThat(redis.commands().hget(name(), "leases")).isNull();
        } finally {
            factory.destroy();
        }
    }

    private static ClusterOptions.Builder hasty() {
        return Instance.options().maxDelay(Duration.ofMillis(50)).lease(Duration.ofSeconds(20));
    }

    @Test
    void questionThatTheConnectionCameTooLateForIsNotAsked() throws Exception {
        LettuceConnectionFactory factory = redis.connectionFactory();
        CountDownLatch gate = new CountDownLatch(1);
        try (ClusterCalls calls = new ClusterCalls(new LateFactory(factory, gate), hasty().build())) {
            assertThat(calls.shared("key", () -> "alone", Instance.TEXT).call()).isEqualTo("alone");
            assertThat(calls.counts().unavailable()).isEqualTo(1);
            gate.countDown();
            await().until(() -> {
                calls.shared("key", () -> "own", Instance.TEXT).call();
                return calls.counts().led() == 1;
            });
            await().untilAsserted(() ->
                    assertThat(redis.commands().hget(name(), "leases")).isEmpty());
        } finally {
            factory.destroy();
        }
    }

    @Test
    void passwordThatIsWrongFromTheBeginningFailsNobody() throws Exception {
        redis.commands().configSet("requirepass", "secret");
        try {
            Instance only = instance(hasty());
            for (int i = 0; i < 20; i++) {
                assertThat(only.shared("key", () -> "alone").call()).isEqualTo("alone");
            }
            assertThat(only.calls().counts().unavailable()).isEqualTo(20);
            redis.commands().configSet("requirepass", "");
            awaitLead(only);
        } finally {
            redis.commands().configSet("requirepass", "");
        }
    }

    /** Until a call of another key has been made for others, too. */
    private static void awaitLead(ClusterCalls calls) {
        long before = calls.counts().led();
        await().until(() -> {
            assertThat(calls.shared("other", () -> "own", Instance.TEXT).call()).isEqualTo("own");
            return calls.counts().led() > before;
        });
    }

    private static void awaitLead(Instance instance) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            assertThat(instance.shared("key", () -> "own").call()).isEqualTo("own");
            return instance.calls().counts().led() > 0;
        });
    }

    @Test
    void redisMayComeLaterThanItsInstances() throws Exception {
        try (ClusterRedis late = new ClusterRedis();
                LogRecords log = new LogRecords()) {
            late.kill();
            try (Instance only = new Instance(late, hasty().build())) {
                for (int i = 0; i < 20; i++) {
                    assertThat(only.shared("key", () -> "alone").call()).isEqualTo("alone");
                }
                late.start();
                awaitLead(only);
                await().untilAsserted(() -> assertThat(log.levels()).containsExactly(Level.WARNING, Level.INFO));
                assertThat(log.messages().get(0)).contains("makes its calls alone", "refused", ":" + late.port());
            }
        }
    }

    @Test
    void serverThatNeverAnswersHoldsNobodyUpAndOneThread() throws Exception {
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LettuceConnectionFactory factory = ClusterRedis.connectionFactory(silent.getLocalPort());
        try (ClusterCalls calls = new ClusterCalls(factory, hasty().build())) {
            long begun = System.nanoTime();
            for (int i = 0; i < 100; i++) {
                assertThat(calls.shared("key", () -> "alone", Instance.TEXT).call())
                        .isEqualTo("alone");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4)); // of 5 s
            assertThat(threadsThatConnect()).isEqualTo(1);
        } finally {
            silent.close(); // before the factory, which would wait for its connection
            factory.destroy();
        }
    }

    private static long threadsThatConnect() {
        return Thread.getAllStackTraces().values().stream()
                .filter(frames -> Arrays.stream(frames)
                        .anyMatch(frame -> frame.getClassName().equals(LettuceConnectionFactory.class.getName())
                                && frame.getMethodName().equals("getReactiveConnection")))
                .count();
    }

    @Test
    void messageOfSomebodyElseEndsNothing() throws Exception {
        Held held = new Held(
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).lease(Duration.ofSeconds(20))), Instance.TEXT);
        Future<String> waiter =
                ask(instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofSeconds(20))));
        awaitWaiters(1);
        await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 1);
        String waiting = redis.commands().hkeys(name()).stream()
                .filter(field -> field.matches("w.{16}"))
                .findFirst()
                .orElseThrow();
        String before = redis.commands().hget(name(), waiting);
        redis.commands().publish(name(), "something else");
        await().until(() -> !before.equals(redis.commands().hget(name(), waiting))); // it has looked
        held.end.complete("result");
        assertThat(waiter.get(8, TimeUnit.SECONDS)).isEqualTo("result"); // by itself it would look later
    }

    private Future<String> ask(Instance instance) {
        return ask(instance, Instance.TEXT);
    }

    @Test
    void anInstanceConnectsBeforeItsFirstCall() {
        Instance instance = instance(Instance.options());
        int before = connections();
        redis.commands().scriptFlush();
        instance.calls().connect();
        await().until(() -> connections() > before && usedScripts() > 0);
        assertThat(instance.calls().counts()).isEqualTo(new ClusterCounts(0, 0, 0, 0, 0, 0, 0, true));
        assertThat(redis.commands().keys("*")).isEmpty();
    }

    private static long usedScripts() {
        return redis.commands()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("number_of_cached_scripts:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    @Test
    void withoutTheRightToPublishWaitersLookByThemselves() throws Exception {
        withoutTheRight(CommandType.PUBLISH);
    }

    @Test
    void withoutTheRightToSubscribeWaitersLookByThemselves() throws Exception {
        withoutTheRight(CommandType.SUBSCRIBE);
    }

    private void withoutTheRight(CommandType right) throws Exception {
        redis.commands().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(right));
        try (LogRecords log = new LogRecords()) {
            for (int i = 1; i <= 2; i++) {
                calls.set(0);
                Held held = new Held(joining(), Instance.TEXT);
                Instance second =
                        instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofMillis(500)));
                Future<String> waiter = ask(second);
                awaitWaiters(1);
                held.end.complete("result");
                assertThat(waiter.get()).isEqualTo("result");
                assertThat(second.calls().counts().available()).isTrue();
            }
            await().untilAsserted(() -> assertThat(log.messages())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line)
                            .contains("publish and to subscribe")
                            .containsPattern("permission|can't")));
        } finally {
            redis.commands().aclSetuser("default", AclSetuserArgs.Builder.allCommands());
        }
    }

    /** Else the only warning would name a remedy that is none. */
    @Test
    void aServerThatIsBusyIsNoMatterOfRights() {
        assertThat(List.of(
                        "NOPERM this user has no permissions to run the 'subscribe' command",
                        "ERR unknown command 'SUBSCRIBE'"))
                .allMatch(Subscriptions::isRefusal);
        assertThat(List.of(
                        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                        "LOADING Redis is loading the dataset in memory",
                        "Connection closed"))
                .noneMatch(Subscriptions::isRefusal);
    }

    @Test
    void aForeignValueUnderOneNameLeavesTheOtherCallsShared() throws Exception {
        redis.commands().set(new String(Instance.envelope().nameOf("call", "", "other"), US_ASCII), "foreign");
        Instance second = joining();
        for (int i = 0; i < 10; i++) {
            assertThat(second.shared("other", () -> "own").call()).isEqualTo("own");
        }
        assertThat(second.calls().counts().available()).isTrue();
        assertThat(second.calls().counts().notShareable()).isEqualTo(10);
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(second);
        awaitWaiters(1);
        held.end.complete("shared");
        assertThat(waiter.get()).isEqualTo("shared");
    }

    /** On a busy machine each answer takes longer than the options allow for: sharing it is better than what each instance would call alone. */
    @Test
    void aRedisThatAnswersLateEachTimeIsWaitedFor() throws Exception {
        try (SlowRelay relay = new SlowRelay(redis.port(), 60)) {
            LettuceConnectionFactory factory = ClusterRedis.connectionFactory(relay.port());
            try (ClusterCalls calls = new ClusterCalls(
                    factory, hasty().joinMode(JoinMode.IN_FLIGHT).build())) {
                awaitLed(calls);
                long led = calls.counts().led();
                for (int i = 0; i < 20; i++) {
                    calls.shared("key " + i, () -> "own", Instance.TEXT).call();
                }
                assertThat(calls.counts().led()).isGreaterThanOrEqualTo(led + 15);
            } finally {
                factory.destroy();
            }
        }
    }

    private static void awaitLed(ClusterCalls calls) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            calls.shared("key", () -> "own", Instance.TEXT).call();
            return calls.counts().led() > 3;
        });
    }

    /** A Redis that comes and goes does not fill the log. */
    @Test
    void fallsAndRecoveriesLeaveNoConnectionBehindAndOneWarningAMinute() throws Exception {
        try (LogRecords log = new LogRecords()) {
            fallsAndRecoveriesLeaveNoConnectionBehind();
            await().untilAsserted(() -> assertThat(log.levels()).containsExactly(Level.WARNING, Level.INFO));
        }
    }

    private void fallsAndRecoveriesLeaveNoConnectionBehind() throws Exception {
        Instance second = instance(hasty().joinMode(JoinMode.IN_FLIGHT).maxDelay(Duration.ofSeconds(10)));
        int connections = 0;
        for (int round = 0; round < 3; round++) {
            Held held = new Held(joining(), Instance.TEXT);
            Future<String> waiter = ask(second);
            awaitWaiters(1);
            await().until(() -> redis.commands().pubsubNumsub(name()).get(name()) == 1);
            held.end.complete("result");
            waiter.get();
            redis.commands().configSet("maxmemory", "1");
            await().until(() -> {
                second.shared("key", () -> "own").call();
                return !second.calls().counts().available();
            });
            redis.commands().configSet("maxmemory", "0");
            await().atMost(Duration.ofSeconds(10)).until(() -> {
                second.shared("other", () -> "own").call();
                return second.calls().counts().available();
            });
            int expected = connections;
            instances.get(instances.size() - 1).close(); // the leader
            instances.remove(instances.size() - 1);
            if (round == 0) {
                connections = connections();
            } else {
                await().untilAsserted(() -> assertThat(connections()).isLessThanOrEqualTo(expected));
            }
        }
    }

    private static int connections() {
        return List.of(redis.commands().clientList().split("\n", -1)).size();
    }
}
