package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.jdbc.WriteSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the meters say of callers that leave, are refused, or are answered by another's call; and in which registry. */
class MeasuredCallsTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CollapseMeters meters = new CollapseMeters();

    MeasuredCallsTests() {
        meters.bindTo(registry);
    }

    private CollapseOptions.Builder options() {
        return CollapseOptions.builder().name("users").listener(meters.listener());
    }

    private long calls(String role, String outcome) {
        Timer timer = registry.find("collapse.calls")
                .tags("name", "users", "role", role, "outcome", outcome)
                .timer();
        return timer == null ? 0 : timer.count();
    }

    private static double saved(MeterRegistry registry) {
        return registry.get("collapse.saved").tag("name", "users").counter().count();
    }

    @Test
    void whenTheLeaderIsInterruptedOnlyTheCallThatNobodyMadeIsSaved() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Thread> leader = new AtomicReference<>();
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options()
                .maxBatchSize(3)
                .waitThreshold(3)
                .collectingWaitTime(Duration.ofMinutes(10))
                .build());
        Callable<String> call = () -> {
            if (leader.compareAndSet(null, Thread.currentThread())) {
                started.countDown();
                never.await();
            }
            return "answer";
        };
        List<FutureTask<String>> callers = Stream.generate(() -> new FutureTask<>(() -> executor.execute("a", call)))
                .limit(3)
                .toList();
        callers.forEach(caller -> new Thread(caller).start());
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        leader.get().interrupt();
        await().untilAsserted(() -> {
            assertThat(calls("follower", "cancelled")).as("the first leader").isEqualTo(1);
            assertThat(calls("leader", "answered")).as("the second").isEqualTo(1);
            assertThat(calls("follower", "answered")).isEqualTo(1);
        });
        assertThat(saved(registry)).as("three callers, two calls").isEqualTo(1);
    }

    @Test
    void aFollowerOfALeaderThatLeftHasSavedItsCall() {
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                options().joinMode(JoinMode.IN_FLIGHT).build());
        CompletableFuture<String> leader = executor.execute("a", () -> call);
        CompletableFuture<String> follower = executor.execute("a", () -> call);
        assertThat(leader.cancel(true)).isTrue();
        assertThat(call.complete("answer")).isTrue();
        assertThat(follower).isCompletedWithValue("answer");
        assertThat(calls("follower", "answered")).isEqualTo(1);
        assertThat(calls("follower", "cancelled")).isEqualTo(1);
        assertThat(saved(registry)).isEqualTo(1);
    }

    @Test
    void aCallerWhoseTimePassesIsTimedOut() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                options().callTimeout(Duration.ofMillis(1)).build());
        assertThat(executor.execute("a", CompletableFuture<String>::new))
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
        await().untilAsserted(() -> assertThat(calls("follower", "timed-out")).isEqualTo(1));
    }

    @Test
    void aCallerThatIsOneTooManyIsRejected() {
        FutureCallableGroupCollapseExecutor executor =
                new FutureCallableGroupCollapseExecutor(options().maxPending(1).build());
        CompletableFuture<String> present = executor.execute("a", CompletableFuture<String>::new);
        assertThatThrownBy(() -> executor.execute("a", CompletableFuture<String>::new))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(calls("follower", "rejected")).isEqualTo(1);
        assertThat(present.cancel(true)).isTrue();
    }

    @Test
    void aRegistryThatIsBoundLaterMeasuresFromThenOn_andShowsAllThatIsPresent() throws Exception {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(options().build());
        assertThat(executor.execute("a", () -> "answer")).isEqualTo("answer");
        SimpleMeterRegistry later = new SimpleMeterRegistry();
        meters.bindTo(later);
        meters.watch("users", executor);
        assertThat(executor.execute("a", () -> "answer")).isEqualTo("answer");
        assertThat(calls("alone", "answered")).isEqualTo(2);
        assertThat(later.get("collapse.calls").timer().count()).isEqualTo(1);
        for (MeterRegistry each : List.of(registry, later)) {
            assertThat(each.get("collapse.pending").tag("name", "users").gauge().value())
                    .isZero();
        }
    }

    @Test
    void waitAndDurationOfABatchAreThoseThatAListenerIsTold() throws Exception {
        List<BatchSummary> told = new CopyOnWriteArrayList<>();
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .name("users")
                        .listener(batch -> {
                            told.add(batch);
                            meters.listener().batchEnded(batch);
                        })
                        .build());
        assertThat(executor.execute("a", () -> "answer")).isEqualTo("answer");
        assertThat(registry.get("collapse.wait").timer().totalTime(TimeUnit.NANOSECONDS))
                .isEqualTo((double) told.get(0).waitNanos());
        assertThat(registry.get("collapse.batches").timer().totalTime(TimeUnit.NANOSECONDS))
                .isEqualTo((double) told.get(0).durationNanos());
    }

    @Test
    void rowsAndCommitsAreCountedByTheirOutcomes() {
        new WriteMeters(meters).writes().batchWritten(new WriteSummary("notes", 1, 2, 3, 4, 5, 6, 7));
        Map<String, Integer> rows = Map.of("written", 1, "unchanged", 2, "failed", 3, "unknown", 4);
        rows.forEach((outcome, number) ->
                assertThat(counter("collapse.rows", outcome)).isEqualTo(number));
        Map<String, Integer> commits = Map.of("committed", 5, "unknown", 6, "rolled-back", 7);
        commits.forEach((outcome, number) ->
                assertThat(counter("collapse.commits", outcome)).isEqualTo(number));
    }

    private int counter(String meter, String outcome) {
        return (int) registry.get(meter)
                .tags("name", "notes", "outcome", outcome)
                .counter()
                .count();
    }
}
