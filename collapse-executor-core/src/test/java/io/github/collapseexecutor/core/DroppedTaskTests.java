package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tasks that a user's executor drops without a word, and the callers that wait for them. */
class DroppedTaskTests {

    private final ManualTime time = new ManualTime();
    private final AsyncCallableGroupCollapseExecutor executor =
            new AsyncCallableGroupCollapseExecutor(CollapseOptions.defaults(), time);
    private final AtomicInteger runs = new AtomicInteger();
    private final Queue<Runnable> queue = new ArrayDeque<>();

    private List<CompletableFuture<Integer>> submit(int callers) {
        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            futures.add(executor.execute("group", runs::incrementAndGet));
        }
        return futures;
    }

    @Test
    void P13_callersBehindADroppedTaskAreAnsweredByANewExecutor() {
        executor.setExecutor(task -> {});
        List<CompletableFuture<Integer>> callers = submit(1);
        executor.setExecutor(Runnable::run);
        callers.addAll(submit(50));
        time.advance(Duration.ofSeconds(1));
        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompletedWithValue(1));
        assertThat(executor.engine().groupCount()).isZero();
        time.advance(Duration.ofSeconds(1));
        assertThat(time.checks()).as("timers without a task").isZero();
    }

    @Test
    void P13_callersBehindAFullBatchThatWasDroppedAreAnsweredToo() {
        AsyncCallableGroupCollapseExecutor limited = new AsyncCallableGroupCollapseExecutor(
                CollapseOptions.builder()
                        .maxConcurrentBatches(1)
                        .maxBatchSize(2)
                        .build(),
                time);
        limited.setExecutor(task -> {});
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            callers.add(limited.execute("group", runs::incrementAndGet));
        }
        limited.setExecutor(Runnable::run);
        time.advance(Duration.ofSeconds(1));
        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompleted());
    }

    @Test
    void aTaskThatWaitsForAThreadIsNotRunTwice() {
        executor.setExecutor(queue::add);
        List<CompletableFuture<Integer>> callers = submit(3);
        time.advance(Duration.ofSeconds(1)); // dispatched again when it is 1, 2, 4 and 8 s old
        for (int seconds = 1; seconds < 10; seconds++) {
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(queue).hasSize(5);
        while (!queue.isEmpty()) {
            queue.remove().run();
        }
        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompletedWithValue(1));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aTaskThatIsRefusedTheSecondTimeIsNotGivenUp() {
        executor.setExecutor(queue::add);
        List<CompletableFuture<Integer>> callers = submit(2);
        executor.setExecutor(task -> {
            throw new RejectedExecutionException("full");
        });
        time.advance(Duration.ofSeconds(1));
        assertThat(callers).noneMatch(CompletableFuture::isDone);
        queue.remove().run();
        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompletedWithValue(1));
    }

    @Test
    void P13_callersOfAnExecutorThatWasShutDownGetAFailureThatSaysSo() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        executor.setExecutor(task -> {});
        List<CompletableFuture<Integer>> callers = submit(2);
        executor.setExecutor(pool);
        pool.shutdownNow();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        time.advance(Duration.ofSeconds(1));
        for (CompletableFuture<Integer> caller : callers) {
            assertThat(caller)
                    .failsWithin(0, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(RejectedExecutionException.class)
                    .withMessageContaining("was shut down before it began the batch");
        }
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P13_aTimeoutSaysThatTheExecutorHasNotBegun() {
        AsyncCallableGroupCollapseExecutor timed = new AsyncCallableGroupCollapseExecutor(
                CollapseOptions.builder().callTimeout(Duration.ofMillis(300)).build(), time);
        timed.setExecutor(task -> {});
        CompletableFuture<Integer> caller = timed.execute("group", runs::incrementAndGet);
        time.advance(Duration.ofMillis(300));
        assertThat(caller)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("the executor was given the batch and has not begun it");
        assertThat(timed.engine().groupCount()).isZero();
    }
}
