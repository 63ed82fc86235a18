package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.simulation.ClusterSimulation;
import io.github.collapseexecutor.cluster.simulation.ClusterSimulation.Commands;
import io.github.collapseexecutor.cluster.simulation.ClusterSimulation.Outcome;
import io.github.collapseexecutor.cluster.simulation.FailureScenario;
import io.github.collapseexecutor.cluster.simulation.LengthScenario;
import io.github.collapseexecutor.cluster.simulation.Scenario;
import io.github.collapseexecutor.cluster.simulation.Workload;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the page says of thousands of instances is what the simulation says, and the simulation needs as many commands as a real Redis gets from a
 * few instances.
 *
 * <p>{@code -Dcluster.millis=60000}, as with {@code -Pproofs}, is the long form.
 */
class ClusterSimulationTests extends SharingFixture {

    private static final boolean LONG = Integer.getInteger("cluster.millis", 2000) >= 10_000;
    private static final Path PAGE = Path.of("..", "..", "docs", "maintainers", "cluster-simulation.md");
    private static final long SEED = 20;
    private static final double WARM_UP = 2_000_000;

    private static final Pattern CALLS = Pattern.compile("cmdstat_(\\w+):calls=(\\d+)");

    /** Nothing happens because of time: it is the test that says when calls end. */
    private static ClusterOptions.Builder patient() {
        return Instance.options()
                .maxDelay(Duration.ofSeconds(20))
                .lease(Duration.ofSeconds(20))
                .maxWaitRatio(0.99);
    }

    private static Workload asPatient(int instances) {
        return Workload.of(instances)
                .callers(1, Double.POSITIVE_INFINITY)
                .ratio(0.99)
                .waits(20e6, 20e6);
    }

    private static Map<String, Long> commandCounts() {
        Matcher matcher = CALLS.matcher(redis.commands().info("commandstats"));
        Map<String, Long> counts = new HashMap<>();
        while (matcher.find()) {
            counts.put(matcher.group(1), Long.valueOf(matcher.group(2)));
        }
        return counts;
    }

    private Commands counted() {
        Map<String, Long> counts = commandCounts();
        return new Commands(
                counts.getOrDefault("evalsha", 0L),
                counts.getOrDefault("publish", 0L),
                counts.getOrDefault("subscribe", 0L) + counts.getOrDefault("unsubscribe", 0L),
                calls.get());
    }

    private void awaitScripts(long count) {
        await().until(() -> counted().scripts() == count);
    }

    /** Has Redis know the script, and counts from here. */
    private void beginToCount() throws Exception {
        redis.commands().configResetstat();
        instance(patient()).shared("another key", () -> "own").call();
        awaitScripts(2); // the end is said when its caller has its answer
        redis.commands().configResetstat();
    }

    /** Asks on an instance, for a call that the test ends. */
    private Future<String> askHeld(Instance instance, CompletableFuture<String> end) {
        return threads.submit(() -> instance.shared("key", () -> {
                    calls.incrementAndGet();
                    return end.get();
                })
                .call());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10})
    void waitersOfACallInFlightNeedAsManyCommandsAsInTheSimulation(int count) throws Exception {
        beginToCount();
        CompletableFuture<String> end = new CompletableFuture<>();
        List<Future<String>> answers = new ArrayList<>();
        answers.add(askHeld(instance(patient().joinMode(JoinMode.IN_FLIGHT)), end));
        await().until(() -> calls.get() == 1);
        for (int i = 1; i < count; i++) {
            answers.add(askHeld(instance(patient().joinMode(JoinMode.IN_FLIGHT)), end));
        }
        awaitScripts(1 + 2 * (count - 1));
        end.complete("result");
        assertAnswers(answers);
        Commands simulated = new ClusterSimulation(asPatient(count).joiningInFlight(), SEED)
                .once(IntStream.range(0, count).mapToObj(i -> 1_000.0 * i).toList());
        assertThat(simulated.backendCalls()).isEqualTo(1);
        await().untilAsserted(() -> assertThat(counted()).isEqualTo(simulated));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10})
    void freshWaitersNeedAsManyCommandsAsInTheSimulation(int count) throws Exception {
        beginToCount();
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> rest = new CompletableFuture<>();
        List<Future<String>> answers = new ArrayList<>();
        answers.add(askHeld(instance(patient()), first));
        await().until(() -> calls.get() == 1);
        long begun = micros();
        await().until(() -> micros() - begun > 200_000); // upon which others wait for a hundred times that
        answers.add(askHeld(instance(patient()), second));
        await().until(() -> calls.get() == 2);
        for (int i = 2; i < count; i++) {
            answers.add(askHeld(instance(patient()), rest));
        }
        awaitScripts(2 + 2 * (count - 2));
        first.complete("result");
        awaitScripts(2 + 2 * (count - 2) + 1); // before the other end, as in the simulation
        second.complete("result");
        awaitScripts(2 + 2 * (count - 2) + 2 + (count - 2));
        rest.complete("result");
        assertAnswers(answers);
        List<Double> askedAt = IntStream.range(0, count)
                .mapToObj(i -> i == 0 ? 0.0 : 200_000.0 + 1_000 * i)
                .toList();
        Commands simulated = new ClusterSimulation(asPatient(count).callTime(500_000), SEED).once(askedAt);
        assertThat(simulated.backendCalls()).isEqualTo(3);
        await().untilAsserted(() -> assertThat(counted()).isEqualTo(simulated));
    }

    private static void assertAnswers(List<Future<String>> answers) throws Exception {
        for (Future<String> answer : answers) {
            assertThat(answer.get()).isEqualTo("result");
        }
    }

    private static long micros() {
        List<String> time = redis.commands().time();
        return 1_000_000 * Long.parseLong(time.get(0)) + Long.parseLong(time.get(1));
    }

    /** Where callers come by chance, the counts are alike. They depend on the machine, so that only the long form asserts them. */
    @ParameterizedTest
    @ValueSource(ints = {3, 6, 10})
    void underLoadTheCountsAreLikeThoseOfTheSimulation(int count) throws Exception {
        long millis = LONG ? 10_000 : 500;
        LongAdder answered = new LongAdder();
        BlockingCallableGroupCollapseExecutor[] executors = IntStream.range(0, count)
                .mapToObj(i -> new BlockingCallableGroupCollapseExecutor())
                .toArray(BlockingCallableGroupCollapseExecutor[]::new);
        List<Instance> asking = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asking.add(instance(Instance.options().maxDelay(Duration.ofMillis(500))));
            asking.get(i).shared("another key", () -> "own").call();
        }
        redis.commands().configResetstat();
        long end = System.nanoTime() + 1_000_000 * millis;
        List<Future<?>> callers = new ArrayList<>();
        for (int i = 0; i < 5 * count; i++) {
            int of = i % count;
            callers.add(threads.submit(() -> askUntil(end, executors[of], asking.get(of), answered)));
        }
        for (Future<?> caller : callers) {
            caller.get();
        }
        Commands real = counted();
        double all = answered.sum();
        Outcome simulated = new ClusterSimulation(
                        Workload.of(count).callers(5, 100_000).waits(20_000_000, 500_000), SEED)
                .run(WARM_UP, 1_000.0 * millis);
        System.out.printf(
                "%d instances, for each answer: backend calls %.3f (simulated %.3f), scripts %.2f (%.2f), messages %.3f"
                        + " (%.3f), subscriptions %.2f (%.2f)%n",
                count,
                real.backendCalls() / all,
                simulated.backendCalls() / simulated.answers(),
                real.scripts() / all,
                simulated.scripts() / simulated.answers(),
                real.publications() / all,
                simulated.publications() / simulated.answers(),
                real.subscriptions() / all,
                simulated.subscriptions() / simulated.answers());
        assertThat(all).isPositive();
        if (LONG) {
            assertAlike(real.backendCalls() / all, simulated.backendCalls() / simulated.answers());
            assertAlike(real.scripts() / all, simulated.scripts() / simulated.answers());
            assertAlike(real.publications() / all, simulated.publications() / simulated.answers());
        }
    }

    private static void assertAlike(double real, double simulated) {
        assertThat(real / simulated).isCloseTo(1, within(0.3));
    }

    private void askUntil(
            long end, BlockingCallableGroupCollapseExecutor executor, Instance instance, LongAdder answered) {
        while (System.nanoTime() < end) {
            try {
                Thread.sleep(
                        (long) (-100 * Math.log(1 - ThreadLocalRandom.current().nextDouble())));
                executor.execute("key", instance.shared("key", () -> {
                    calls.incrementAndGet();
                    Thread.sleep(50);
                    return "result";
                }));
                answered.increment();
            } catch (Exception e) {
                throw new IllegalStateException("No call fails", e);
            }
        }
    }

    /** Its caller waits for one of them; the other says that the call has ended. */
    @Test
    void aLoneCallNeedsTwoCommandsAndNoMessage() throws Exception {
        beginToCount();
        instance(patient()).shared("key", () -> "own").call();
        await().untilAsserted(() -> assertThat(counted()).isEqualTo(new Commands(2, 0, 0, 0)));
    }

    private static Outcome simulated(long seed) {
        return new ClusterSimulation(Workload.of(30), seed).run(WARM_UP, WARM_UP);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        assertThat(simulated(SEED)).isEqualTo(simulated(SEED));
        assertThat(simulated(SEED + 1)).isNotEqualTo(simulated(SEED));
    }

    /** Only the long form simulates the rows that take long. */
    @Test
    void thePageShowsWhatTheSimulationGives() throws IOException {
        String page = Files.readString(PAGE);
        for (Scenario scenario : Scenario.all()) {
            if (LONG || scenario.isShort()) {
                assertThat(page).contains(scenario.row());
            }
        }
        for (LengthScenario scenario : LengthScenario.all()) {
            assertThat(page).contains(scenario.row());
        }
        for (FailureScenario scenario : FailureScenario.all()) {
            assertThat(page).contains(scenario.row());
        }
    }

    @Test
    void whileAllCallsFailCallersWaitAsLongAsWithoutSharing() {
        for (FailureScenario scenario : FailureScenario.all()) {
            boolean bounded =
                    scenario.words().startsWith("all fail") || scenario.words().startsWith("all take");
            // where only some fail, callers may wait for one failed call and make their own
            assertThat(scenario.shared().p99())
                    .as(scenario.words())
                    .isLessThan((bounded ? 1.6 : 2) * scenario.unshared().p99());
        }
    }

    /** How the costs were measured that {@link Workload.Costs#MEASURED} has: processor time of Redis for each command. */
    @Test
    void costsOfCommandsAreMeasured() throws Exception {
        int times = LONG ? 20_000 : 100;
        Instance only = instance();
        double script = costOf(
                2 * times,
                () -> { // one run asks, and one says how the call ended
                    for (int i = 0; i < times; i++) { // keys of short calls would go on without Redis
                        only.shared("key" + i, () -> "own").call();
                    }
                });
        assertThat(only.calls().counts().led()).isEqualTo(times);
        RedisClient client = RedisClient.create(RedisURI.create("localhost", redis.port()));
        try {
            List<StatefulRedisPubSubConnection<String, String>> subscribers = new ArrayList<>();
            for (int i = 0; i < (LONG ? 200 : 5); i++) {
                subscribers.add(client.connectPubSub());
                subscribers.get(i).sync().subscribe("channel");
            }
            double message = costOf(times / 10 * subscribers.size(), () -> {
                for (int i = 0; i < times / 10; i++) {
                    redis.commands().publish("channel", "1");
                }
            });
            double subscription = costOf(2 * times, () -> {
                for (int i = 0; i < times; i++) {
                    subscribers.get(0).sync().subscribe("another");
                    subscribers.get(0).sync().unsubscribe("another");
                }
            });
            System.out.printf(
                    "processor time of Redis: %.1f us for the script, %.1f for a message, %.1f for a subscription%n",
                    script, message, subscription);
            assertThat(List.of(script, message, subscription)).allMatch(cost -> cost >= 0);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    private interface Work {

        void run() throws Exception;
    }

    private static double costOf(int commands, Work work) throws Exception {
        double before = processorMicros();
        work.run();
        return (processorMicros() - before) / commands;
    }

    private static double processorMicros() {
        return redis.commands()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)) * 1e6)
                .sum();
    }
}
