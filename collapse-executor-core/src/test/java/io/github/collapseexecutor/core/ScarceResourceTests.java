package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A JVM that can start no thread, set no timer or dispatch no batch for once: the n-th time, for each n that a scenario comes to.
 * Calls of that moment may fail. All of them end, and nothing that comes after is harmed.
 */
class ScarceResourceTests {

    private enum Resource {
        THREAD,
        TIMER,
        DISPATCH
    }

    record SetUp(Resource resource, Kind kind, JoinMode mode, int limit) {

        static Stream<SetUp> all() {
            return Stream.of(Resource.values())
                    .flatMap(resource -> Stream.of(Kind.values())
                            .filter(kind -> resource != Resource.DISPATCH || kind == Kind.ASYNC)
                            .flatMap(kind -> Stream.of(JoinMode.values())
                                    .flatMap(mode -> Stream.of(1, CollapseOptions.UNLIMITED)
                                            .map(limit -> new SetUp(resource, kind, mode, limit)))));
        }
    }

    /** Counts the uses of a resource, and lets one fail. */
    private static final class Scarce {

        private final Resource scarce;
        private final int failing;
        private final AtomicInteger uses = new AtomicInteger();
        volatile boolean ended;

        Scarce(Resource scarce, int failing) {
            this.scarce = scarce;
            this.failing = failing;
        }

        boolean failsNow(Resource used) {
            return used == scarce && uses.incrementAndGet() == failing && !ended;
        }

        Thread thread(Runnable runnable, String name) {
            Thread made = DaemonThreads.OWN.make(runnable, name);
            if (!failsNow(Resource.THREAD)) {
                return made;
            }
            return new Thread(runnable, name) {
                @Override
                public synchronized void start() {
                    throw new OutOfMemoryError("unable to create native thread: on purpose");
                }
            };
        }

        EngineScheduler time() {
            return new RealTime(new SystemScheduler(this::thread)) {
                @Override
                public Future<?> schedule(Runnable task, long nanos) {
                    if (failsNow(Resource.TIMER)) {
                        throw new RejectedExecutionException("no timer on purpose");
                    }
                    return super.schedule(task, nanos);
                }
            };
        }

        Executor dispatching(Executor executor) {
            return task -> {
                if (failsNow(Resource.DISPATCH)) {
                    throw new OutOfMemoryError("no dispatch on purpose");
                }
                executor.execute(task);
            };
        }
    }

    private interface Calls {

        CompletableFuture<String> call(int group);
    }

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final List<Throwable> unexpected = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<String>> hanging = new ArrayList<>();
    private volatile boolean hangs;

    @BeforeEach
    void keepWhatIsReported() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (!String.valueOf(failure.getMessage()).contains("on purpose")) {
                unexpected.add(failure);
            }
        });
    }

    @AfterEach
    void nothingElseIsReported() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        assertThat(unexpected).isEmpty();
    }

    /** Takes a moment; every fourth hangs until its caller has been timed out. */
    private CompletableFuture<String> answer(int number) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (number % 4 == 3 && hangs) {
            synchronized (hanging) {
                hanging.add(answer);
            }
            return answer;
        }
        return answer.completeOnTimeout("answer", 2, TimeUnit.MILLISECONDS);
    }

    private Calls calls(SetUp setUp, EngineScheduler time, Executor pool, CollapseExecutor[] made) {
        CollapseOptions options = CollapseOptions.builder()
                .maxConcurrentBatches(setUp.limit)
                .maxBatchSize(2)
                .joinMode(setUp.mode)
                .collectingWaitTime(Duration.ofMillis(1))
                .callTimeout(Duration.ofMillis(60))
                .build();
        AtomicInteger numbers = new AtomicInteger();
        switch (setUp.kind) {
            case BLOCKING -> {
                BlockingCallableGroupCollapseExecutor executor =
                        new BlockingCallableGroupCollapseExecutor(options, time);
                made[0] = executor;
                return group -> CompletableFuture.completedFuture(group)
                        .thenApplyAsync(
                                asked -> {
                                    try {
                                        return executor.execute(
                                                asked, () -> answer(0).get());
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                },
                                task -> new Thread(task).start());
            }
            case ASYNC -> {
                AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options, time);
                executor.setExecutor(pool);
                made[0] = executor;
                return group -> executor.execute(
                        group, () -> answer(numbers.getAndIncrement()).get());
            }
            case FUTURE -> {
                FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options, time);
                made[0] = executor;
                return group -> executor.execute(group, () -> answer(numbers.getAndIncrement()));
            }
        }
        throw new AssertionError(setUp.kind);
    }

    /** The first thread is the timer's, the second one the task's. */
    @Test
    void P13_aDueTaskRunsAsSoonAsThereIsAThreadForIt() throws Exception {
        CountDownLatch run = new CountDownLatch(1);
        Future<?> timer = new Scarce(Resource.THREAD, 2).time().schedule(run::countDown, 0);
        assertThat(run.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(timer.isCancelled()).isFalse();
    }

    @Test
    void P13_aWatchThatGotNoTimerIsSetWithTheNextBatch() throws Exception {
        CountDownLatch late = new CountDownLatch(2);
        LateWatch<String> watch = new LateWatch<>(
                new Scarce(Resource.TIMER, 1).time(),
                1_000_000,
                batch -> true,
                batch -> late.countDown(),
                new Contained());
        watch.add("first");
        watch.add("second");
        assertThat(late.await(10, TimeUnit.SECONDS)).isTrue();
        watch.remove("first");
        watch.remove("second");
    }

    @ParameterizedTest
    @MethodSource("io.github.collapseexecutor.core.ScarceResourceTests$SetUp#all")
    void P13_aResourceThatIsMissingOnceHarmsTheCallsOfThatMomentAlone(SetUp setUp) throws Exception {
        int failing = 1;
        int uses;
        do {
            uses = callWithout(setUp, failing++);
        } while (uses >= failing && failing <= 12);
    }

    private int callWithout(SetUp setUp, int failing) throws Exception {
        hangs = true;
        Scarce scarce = new Scarce(setUp.resource, failing);
        EngineScheduler time = scarce.time();
        Executor pool = scarce.dispatching(new DaemonPool(2, "scarce-", time, scarce::thread));
        CollapseExecutor[] made = new CollapseExecutor[1];
        Calls calls = calls(setUp, time, pool, made);
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            try {
                all.add(calls.call(i % 3));
            } catch (RejectedExecutionException | OutOfMemoryError refused) {
                assertThat(refused).hasMessageContaining("on purpose");
            }
        }
        for (CompletableFuture<String> each : all) {
            expectAnEnd(each, setUp + ", without number " + failing);
        }
        int uses = scarce.uses.get();
        scarce.ended = true;
        hangs = false;
        synchronized (hanging) {
            hanging.forEach(each -> each.complete("late"));
            hanging.clear();
        }
        Awaitility.await()
                .dontCatchUncaughtExceptions() // a thread may fail on purpose meanwhile
                .pollInterval(Duration.ofMillis(1))
                .until(() -> made[0].counts().groups() == 0);
        expectAnAnswer(calls, setUp + ", later, without number " + failing);
        assertThat(made[0].close(Duration.ofSeconds(10))).as("%s", setUp).isTrue();
        return uses;
    }

    private static void expectAnEnd(CompletableFuture<String> call, String where) {
        try {
            assertThat(call.get(10, TimeUnit.SECONDS)).isIn("answer", "late");
        } catch (TimeoutException e) {
            throw new AssertionError("a caller waits for ever: " + where, e);
        } catch (ExecutionException e) {
            assertThat(Failures.unwrapped(e.getCause()).toString()
                            + e.getCause().getCause())
                    .as(where)
                    .containsAnyOf("on purpose", "TimeoutException");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A busy machine may take longer than the time-out for once. */
    private static void expectAnAnswer(Calls calls, String where) throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<String> call = calls.call(7);
            expectAnEnd(call, where);
            if (!call.isCompletedExceptionally()) {
                return;
            }
        }
        throw new AssertionError("no call is answered any more: " + where);
    }
}
