package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Batches on executors and stages of every temper. */
class AsyncExecutionTests {

    private final AsyncCallableGroupCollapseExecutor async = new AsyncCallableGroupCollapseExecutor();
    private final FutureCallableGroupCollapseExecutor future = new FutureCallableGroupCollapseExecutor();
    private final Queue<Runnable> queue = new ArrayDeque<>();

    @Test
    void aBatchGathersUntilAThreadOfTheExecutorGetsToIt() throws Exception {
        async.setExecutor(queue::add);
        AtomicInteger runs = new AtomicInteger();
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            callers.add(async.execute("group", runs::incrementAndGet));
        }
        assertThat(queue).hasSize(1);
        queue.remove().run();
        for (CompletableFuture<Integer> caller : callers) {
            assertThat(caller).isCompletedWithValue(1);
        }
        assertThat(queue).isEmpty();
        assertThat(async.engine().groupCount()).isZero();
    }

    @Test
    void aBatchThatEverybodyLeftInTheExecutorsQueueIsNotRun() {
        async.setExecutor(queue::add);
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Integer> one = async.execute("group", runs::incrementAndGet);
        CompletableFuture<Integer> two = async.execute("group", runs::incrementAndGet);
        one.cancel(true);
        two.cancel(true);
        assertThat(async.engine().groupCount()).isZero();
        CompletableFuture<Integer> later = async.execute("group", runs::incrementAndGet);
        assertThat(queue).hasSize(2);
        queue.remove().run();
        assertThat(later).isNotDone();
        queue.remove().run();
        assertThat(later).isCompletedWithValue(1);
    }

    @Test
    void aBatchWhoseStartMovesOnIsLookedAtAgainWhenItsTimerHasRung() {
        ManualTime time = new ManualTime();
        FutureRunner<String, String, String, String> runner = new FutureRunner<>(
                CollapseOptions.builder().maxBatchSize(2).build(),
                true,
                new StageWork<>() {
                    @Override
                    public CompletionStage<String> execute(Batch<String, String> batch) {
                        return new CompletableFuture<>(); // hangs
                    }

                    @Override
                    public void bind(String output, Batch<String, String> batch) {
                        batch.bindAll(output);
                    }
                },
                CallerAnswer.direct(),
                group -> queue::add,
                time);
        List<CompletableFuture<String>> callers = new ArrayList<>();
        callers.add(runner.execute("group", "oldest"));
        queue.remove().run();
        time.advance(Duration.ofMillis(900));
        callers.add(runner.execute("group", "second"));
        queue.remove().run();
        time.advance(Duration.ofMillis(50));
        callers.add(runner.execute("group", "one that fills a batch"));
        callers.add(runner.execute("group", "two that fill a batch"));
        callers.add(runner.execute("group", "waits for a ninth of 900 ms from the second's start"));
        time.advance(Duration.ofMillis(10));
        queue.remove().run(); // the full batch starts at 960 ms: a ninth of that is 106 ms
        time.advance(Duration.ofMillis(106));
        assertThat(queue).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(queue).hasSize(1);
        queue.remove().run();
        assertThat(time.timed()).isZero();
        assertThat(callers).hasSize(5).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void anExecutorThatRefusesFailsTheBatchAndTheNextOnesAreTriedAgain() {
        AtomicReference<Executor> target = new AtomicReference<>(runnable -> {
            throw new RejectedExecutionException("full");
        });
        async.setExecutor(runnable -> target.get().execute(runnable));
        CompletableFuture<Integer> refused = async.execute("group", () -> 1);
        assertThat(refused)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(RejectedExecutionException.class);
        assertThat(async.engine().groupCount()).isZero();
        target.set(Runnable::run);
        assertThat(async.execute("group", () -> 2)).isCompletedWithValue(2);
    }

    @Test
    void batchesBehindARefusedOneAreNotForgotten() throws Exception {
        AsyncCallableGroupCollapseExecutor oneAtATime = new AsyncCallableGroupCollapseExecutor(CollapseOptions.builder()
                .maxConcurrentBatches(1)
                .maxBatchSize(2)
                .build());
        oneAtATime.setExecutor(queue::add);
        CompletableFuture<Integer> first = oneAtATime.execute("group", () -> 0);
        List<CompletableFuture<Integer>> behind = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            behind.add(oneAtATime.execute("group", () -> 1));
        }
        oneAtATime.setExecutor(runnable -> {
            throw new RejectedExecutionException("full");
        });
        queue.remove().run();
        assertThat(first).isCompletedWithValue(0);
        // The first of those behind was in the batch of the first; all others were refused, batch after batch.
        assertThat(behind.remove(0)).isCompletedWithValue(0);
        for (CompletableFuture<Integer> caller : behind) {
            assertThat(caller).isCompletedExceptionally();
        }
        assertThat(oneAtATime.engine().groupCount()).isZero();
    }

    @Test
    void anExecutorOfTheCallersOwnThreadNeitherNestsNorDelaysAnswers() {
        // Two thousand batches in a row, each released by the end of the one before: recursion would overflow the
        // stack.
        AsyncCallableGroupCollapseExecutor oneAtATime = new AsyncCallableGroupCollapseExecutor(CollapseOptions.builder()
                .maxConcurrentBatches(1)
                .maxBatchSize(1)
                .build());
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        AtomicInteger deepest = new AtomicInteger();
        AtomicInteger undelivered = new AtomicInteger();
        oneAtATime.setExecutor(queue::add);
        for (int i = 0; i < 2_000; i++) {
            int number = i;
            callers.add(oneAtATime.execute("group", () -> {
                int depth = Thread.currentThread().getStackTrace().length;
                deepest.accumulateAndGet(depth, Math::max);
                // The one before the last must have been answered by now.
                if (number >= 2 && !callers.get(number - 2).isDone()) {
                    undelivered.incrementAndGet();
                }
                return number;
            }));
        }
        oneAtATime.setExecutor(Runnable::run);
        queue.remove().run();
        for (int i = 0; i < callers.size(); i++) {
            assertThat(callers.get(i)).isCompletedWithValue(i);
        }
        assertThat(deepest.get()).isLessThan(200);
        assertThat(undelivered).hasValue(0);
    }

    @Test
    void stagesThatAreCompleteNeitherNestNorDelayAnswers() {
        FutureCallableGroupCollapseExecutor oneAtATime =
                new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .maxConcurrentBatches(1)
                        .maxBatchSize(1)
                        .build());
        CompletableFuture<Integer> held = new CompletableFuture<>();
        AtomicInteger deepest = new AtomicInteger();
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        callers.add(oneAtATime.execute("group", () -> held));
        for (int i = 1; i < 2_000; i++) {
            int number = i;
            callers.add(oneAtATime.execute("group", () -> {
                deepest.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
                return CompletableFuture.completedFuture(number);
            }));
        }
        held.complete(0);
        for (int i = 0; i < callers.size(); i++) {
            assertThat(callers.get(i)).isCompletedWithValue(i);
        }
        assertThat(deepest.get()).isLessThan(200);
    }

    @Test
    void P08_aNestedCallOnAnExecutorWithOneThreadDoesNotWaitForThatThread() throws Exception {
        ExecutorService single = Executors.newSingleThreadExecutor();
        try {
            async.setExecutor(single);
            CompletableFuture<String> outer = async.execute(
                    "group",
                    () -> "outer " + async.execute("group", () -> "inner").get());
            assertThat(outer.get(10, TimeUnit.SECONDS)).isEqualTo("outer inner");
        } finally {
            single.shutdownNow();
        }
    }

    @Test
    void aNullStageFailsItsCallers() {
        assertThat(future.execute("group", () -> null))
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(UnboundOutputException.class);
        assertThat(future.engine().groupCount()).isZero();
    }

    @Test
    void P07_aFailureComesWithoutTheWrappingOfDependentStages() throws Exception {
        IllegalStateException failure = new IllegalStateException("state");
        CompletableFuture<Object> source = new CompletableFuture<>();
        CompletableFuture<Object> caller =
                future.execute("group", () -> source.thenApply(x -> x).thenApply(x -> x));
        source.completeExceptionally(failure);
        AtomicReference<Throwable> seen = new AtomicReference<>();
        CompletableFuture<Object> unused = caller.whenComplete((output, thrown) -> seen.set(thrown));
        assertThat(seen).hasValue(failure);
    }

    @Test
    void aStageThatCannotBeCancelledEndsByItself() {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        CompletionStage<Integer> stubborn = source.minimalCompletionStage();
        CompletableFuture<Integer> caller = future.execute("group", () -> stubborn);
        assertThat(caller.cancel(true)).isTrue();
        assertThat(future.engine().groupCount()).isOne();
        source.complete(1);
        assertThat(future.engine().groupCount()).isZero();
    }

    @Test
    void aStageIsCancelledWhoseOnlyCallerLeftBeforeTheFunctionReturnedIt() throws Exception {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Integer> ahead = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor oneAtATime = new FutureCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        CompletableFuture<Integer> first = oneAtATime.execute("group", () -> ahead);
        CompletableFuture<Integer> caller = oneAtATime.execute("group", () -> {
            inside.countDown();
            go.await();
            return source;
        });
        Thread completer = new Thread(() -> ahead.complete(0));
        completer.start();
        inside.await();
        caller.cancel(true);
        go.countDown();
        completer.join();
        assertThat(source).isCancelled();
        assertThat(first).isCompletedWithValue(0);
        assertThat(oneAtATime.engine().groupCount()).isZero();
    }

    @Test
    void aStageThatFailsInWhenCompleteFailsItsCallers() {
        CompletableFuture<Integer> broken = new CompletableFuture<>() {
            @Override
            public CompletableFuture<Integer> whenComplete(
                    java.util.function.BiConsumer<? super Integer, ? super Throwable> action) {
                throw new IllegalStateException("broken stage");
            }
        };
        assertThat(future.execute("group", () -> broken))
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("broken stage");
        assertThat(future.engine().groupCount()).isZero();
    }

    @Test
    void aStageThatCompletesTwiceCountsOnce() {
        CompletableFuture<Integer> twice = new CompletableFuture<>() {
            @Override
            public CompletableFuture<Integer> whenComplete(
                    java.util.function.BiConsumer<? super Integer, ? super Throwable> action) {
                action.accept(1, null);
                action.accept(2, null);
                return this;
            }
        };
        assertThat(future.execute("group", () -> twice)).isCompletedWithValue(1);
        assertThat(future.engine().groupCount()).isZero();
    }

    @Test
    void futuresThatAreBoundMayComeLaterFailOrBeNull() {
        List<Bundle<String, CompletableFuture<String>>> kept = new ArrayList<>();
        CollapseExecutorFutureSupport<String, String, String> executor = new CollapseExecutorFutureSupport<>() {
            @Override
            protected CompletionStage<String> doExecute(java.util.Collection<Input<String>> inputs) {
                return CompletableFuture.completedFuture("output");
            }

            @Override
            protected void bindingOutput(String output, List<Bundle<String, CompletableFuture<String>>> bundles) {
                kept.addAll(bundles);
                CompletableFuture<String> bound = later.get(bundles.get(0).getInput());
                bundles.get(0).bindOutput(bound);
            }

            private final java.util.Map<String, CompletableFuture<String>> later = futures;
        };
        CompletableFuture<String> comes = executor.execute("comes");
        assertThat(executor.engine().groupCount()).isZero();
        assertThat(comes).isNotDone();
        futures.get("comes").complete("late output");
        assertThat(comes).isCompletedWithValue("late output");
        CompletableFuture<String> fails = executor.execute("fails");
        futures.get("fails").completeExceptionally(new CompletionException(new java.io.IOException("late")));
        assertThat(fails)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(java.io.IOException.class);
        assertThat(executor.execute("null"))
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(UnboundOutputException.class);
        // Cancelling one caller does not cancel a future that others may have been bound to as well.
        CompletableFuture<String> cancelled = executor.execute("cancelled");
        cancelled.cancel(true);
        assertThat(futures.get("cancelled")).isNotDone();
        assertThat(kept).hasSize(4);
    }

    private final java.util.Map<String, CompletableFuture<String>> futures = java.util.Map.of(
            "comes", new CompletableFuture<>(),
            "fails", new CompletableFuture<>(),
            "cancelled", new CompletableFuture<>());
}
