package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** User code that fills threads or waits for other user code, and the callers that it must not hold up. */
class IsolationTests {

    private static final CollapseOptions TIMED =
            CollapseOptions.builder().callTimeout(Duration.ofMillis(300)).build();

    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void releaseThreads() {
        release.countDown();
    }

    private String await() throws InterruptedException {
        release.await();
        return "released";
    }

    /** Blocks in a way that also occupies the carrier of a virtual thread on the JDKs that have such a way. */
    private String awaitPinned(Object lock) throws InterruptedException {
        synchronized (lock) {
            release.await();
        }
        return "released";
    }

    /** Occupies every thread that the default executor has before it adds any. */
    private void fillTheDefaultExecutor() {
        AsyncCallableGroupCollapseExecutor filler = new AsyncCallableGroupCollapseExecutor();
        for (int i = 0; i < 2 * DefaultExecutor.POOL_SIZE; i++) {
            Object lock = new Object();
            CompletableFuture<String> unused = filler.execute("blocked " + i, () -> awaitPinned(lock));
        }
    }

    private static void expectTimeout(CompletableFuture<?> caller) throws Exception {
        try {
            assertThat(caller.get(5, TimeUnit.SECONDS)).isNull();
            throw new AssertionError("answered");
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void P13_aFullDefaultExecutorDelaysNoTimeout() throws Exception {
        fillTheDefaultExecutor();
        expectTimeout(new FutureCallableGroupCollapseExecutor(TIMED).execute("group", CompletableFuture::new));
        expectTimeout(new AsyncCallableGroupCollapseExecutor(TIMED).execute("group", this::await));
    }

    @Test
    void P13_aFullDefaultExecutorDelaysNoDueStart() throws Exception {
        fillTheDefaultExecutor();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .collectingWaitTime(Duration.ofMillis(50))
                .build());
        CompletableFuture<String> caller =
                executor.execute("group", () -> CompletableFuture.completedFuture("in time"));
        assertThat(caller.get(5, TimeUnit.SECONDS)).isEqualTo("in time");
    }

    @Test
    void P13_dependentsOfTimedOutFuturesThatBlockDelayNoOtherTimeout() throws Exception {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(TIMED);
        Thread test = Thread.currentThread();
        CountDownLatch blocked = new CountDownLatch(2 * DefaultExecutor.POOL_SIZE);
        for (int i = 0; i < 2 * DefaultExecutor.POOL_SIZE; i++) {
            CompletableFuture<Object> caller = executor.execute("blocks " + i, CompletableFuture::new);
            CompletableFuture<Object> unused = caller.whenComplete((value, failure) -> {
                blocked.countDown();
                if (Thread.currentThread() == test) {
                    return; // the time passed before the action was there
                }
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
        expectTimeout(executor.execute("group", CompletableFuture::new));
    }

    @Test
    void P13_callablesThatWaitForCallablesOfAnotherExecutorDoNotExhaustTheDefaultExecutor() throws Exception {
        AsyncCallableGroupCollapseExecutor outer = new AsyncCallableGroupCollapseExecutor();
        AsyncCallableGroupCollapseExecutor inner = new AsyncCallableGroupCollapseExecutor();
        outer.setExecutor(pool);
        inner.setExecutor(pool);
        int callers = 2 * DefaultExecutor.POOL_SIZE;
        CountDownLatch allInside = new CountDownLatch(DefaultExecutor.POOL_SIZE);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            String group = "group " + i;
            answers.add(outer.execute(group, () -> {
                allInside.countDown();
                allInside.await();
                return inner.execute(group, () -> "answer").get();
            }));
        }
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("answer");
        }
        Eventually.until(() -> pool.addedThreads() == 0);
    }

    /** The default before Java 21, on every JDK. */
    private final DaemonPool pool = DefaultExecutor.daemonPool(SystemScheduler.INSTANCE);

    @Test
    void aBurstOfOrdinaryTasksAddsNoThreadToTheDefaultPool() throws Exception {
        ManualTime time = new ManualTime();
        DaemonPool burst = new DaemonPool(2, "burst-", time, DaemonThreads.OWN);
        CountDownLatch done = new CountDownLatch(1_000);
        for (int i = 0; i < 1_000; i++) {
            burst.execute(done::countDown);
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(burst.addedThreads()).isZero();
        assertThat(time.timed()).as("timers without a queue").isZero();
    }

    @Test
    void aQueueThatStandsStillGetsThreadsAtALowerAndLowerRate() throws Exception {
        ManualTime time = new ManualTime();
        DaemonPool stuck = new DaemonPool(2, "stuck-", time, DaemonThreads.OWN);
        CountDownLatch running = new CountDownLatch(2);
        for (int i = 0; i < 100; i++) {
            stuck.execute(() -> {
                running.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        running.await();
        for (int millis = 0; millis < 1_000; millis += 10) {
            time.advance(Duration.ofMillis(10));
        }
        assertThat(stuck.addedThreads()).isBetween(5, 20);
    }

    @ParameterizedTest
    @EnumSource(names = {"ASYNC", "FUTURE"})
    void P13_aDependentThatBlocksHoldsUpNoOtherCallerOfItsBatch(Kind kind) throws Exception {
        Backend backend = new Backend();
        Kind.Subject subject =
                kind.subject(CollapseOptions.builder().maxConcurrentBatches(1).build(), backend);
        Caller ahead = subject.submit("ahead");
        Backend.Execution held = backend.next();
        List<Caller> callers =
                Stream.of("a", "b", "c", "d").map(subject::submit).toList();
        CompletableFuture<?> blocking = callers.get(0).end().thenRun(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        held.succeed();
        ahead.output();
        Backend.Execution batch = backend.next();
        new Thread(batch::succeed).start(); // the one that is held up, if the kind has no threads
        for (Caller caller : callers.subList(1, 4)) { // a thread that asks the first one may run its dependents
            assertThat(caller.output()).startsWith("answer to");
        }
        assertThat(blocking).isNotDone();
        release.countDown();
        blocking.get(10, TimeUnit.SECONDS);
        assertThat(subject.executor().close(Duration.ofSeconds(10))).isTrue();
    }
}
