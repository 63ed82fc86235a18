package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Very many waiting callers: virtual threads where the JDK has them, platform threads elsewhere. */
class VirtualThreadTests {

    static List<Named<Supplier<WaitWitness>>> witnesses() {
        List<Named<Supplier<WaitWitness>>> witnesses = new ArrayList<>();
        witnesses.add(Named.of("no platform thread holds a monitor", WaitWitness.OfMonitors::new));
        witnesses.add(Named.of("no platform thread waits for a monitor", WaitWitness.OfContention::new));
        if (Threads.VIRTUAL) {
            witnesses.add(Named.of("no virtual thread is pinned", WaitWitness.OfPinning::new));
        }
        return witnesses;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("witnesses")
    void P11_noCallerHoldsUpOthersWhileItWaits(Supplier<WaitWitness> watch) throws Exception {
        // Initializing a class pins and locks; that is of the first use, not of waiting.
        for (Kind kind : Kind.values()) {
            callHotKey(kind, Threads.virtual(), 20);
        }
        try (WaitWitness witness = watch.get()) {
            boolean virtual = witness instanceof WaitWitness.OfPinning;
            for (Kind kind : Kind.values()) {
                callHotKey(kind, witness.threads(), virtual ? 3_000 : 200);
            }
            letVeryManyWaitForOneBatch(witness.threads(), virtual ? 100_000 : 1_000);
            FutureTask<Void> bad = new FutureTask<>(witness::waitBadly, null);
            witness.threads().newThread(bad).start();
            bad.get(60, TimeUnit.SECONDS);
            List<String> stacks = witness.stacks();
            assertThat(stacks).as("it sees what it is to see").anyMatch(stack -> stack.contains("waitBadly"));
            assertThat(stacks).allMatch(stack -> stack.contains("waitBadly"));
        }
    }

    /** Many callers call ten times each for one group, whose call takes a millisecond: most of them wait. */
    private static void callHotKey(Kind kind, ThreadFactory threads, int callers) throws Exception {
        for (CollapseOptions options : List.of(
                CollapseOptions.defaults(),
                CollapseOptions.builder()
                        .maxConcurrentBatches(1)
                        .callTimeout(Duration.ofMinutes(1))
                        .joinMode(JoinMode.IN_FLIGHT)
                        .build())) {
            Callable<Long> call = hotKey(kind, options);
            List<FutureTask<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                FutureTask<Long> task = new FutureTask<>(() -> {
                    long sum = 0;
                    for (int j = 0; j < 10; j++) {
                        sum += call.call();
                    }
                    return sum;
                });
                tasks.add(task);
                threads.newThread(task).start();
            }
            for (FutureTask<Long> task : tasks) {
                assertThat(task.get(60, TimeUnit.SECONDS)).isEqualTo(10);
            }
        }
    }

    /** All but one caller wait at the same time, and are answered by one call. */
    private static void letVeryManyWaitForOneBatch(ThreadFactory threads, int waiting) throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(waiting);
        FutureTask<Integer> first = new FutureTask<>(() -> executor.execute("group", () -> {
            inside.countDown();
            go.await();
            return runs.incrementAndGet();
        }));
        threads.newThread(first).start();
        inside.await();
        List<FutureTask<Integer>> callers = new ArrayList<>();
        List<Thread> callerThreads = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            FutureTask<Integer> caller = new FutureTask<>(() -> {
                started.countDown();
                return executor.execute("group", runs::incrementAndGet);
            });
            callers.add(caller);
            Thread thread = threads.newThread(caller);
            callerThreads.add(thread);
            thread.start();
        }
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        for (Thread thread : callerThreads) {
            if (thread.getState() != Thread.State.WAITING) {
                Eventually.until(() -> thread.getState() == Thread.State.WAITING);
            }
        }
        go.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        for (FutureTask<Integer> caller : callers) {
            assertThat(caller.get(60, TimeUnit.SECONDS)).isEqualTo(2);
        }
        assertThat(runs).hasValue(2);
        assertThat(executor.engine().groupCount()).isZero();
    }

    private static Callable<Long> hotKey(Kind kind, CollapseOptions options) {
        switch (kind) {
            case BLOCKING -> {
                BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
                return () -> executor.execute("hot", VirtualThreadTests::takeAMillisecond);
            }
            case ASYNC -> {
                AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options);
                return () -> executor.execute("hot", VirtualThreadTests::takeAMillisecond)
                        .get();
            }
            case FUTURE -> {
                FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
                return () -> executor.execute(
                                "hot",
                                () -> new CompletableFuture<Long>().completeOnTimeout(1L, 1, TimeUnit.MILLISECONDS))
                        .get();
            }
        }
        throw new AssertionError(kind);
    }

    private static Long takeAMillisecond() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1);
        return 1L;
    }
}
