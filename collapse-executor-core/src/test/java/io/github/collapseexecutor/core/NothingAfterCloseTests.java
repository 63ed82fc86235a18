package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After {@code close} has returned, no call begins, and each caller whose call had not begun has its failure. */
class NothingAfterCloseTests {

    private final AtomicInteger begun = new AtomicInteger();

    private Callable<String> counted() {
        return () -> {
            begun.incrementAndGet();
            return "answer";
        };
    }

    /** The executor has been given the batch, and its threads are busy. */
    @Test
    void P12_aBatchThatAnExecutorWasGivenDoesNotBegin() throws Exception {
        LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor();
        executor.setExecutor((Executor) queue::add);
        Caller caller = new Caller.OfFuture(executor.execute("group", counted()));
        assertThat(executor.close(Duration.ZERO)).isFalse();
        assertThat(caller.failure()).isInstanceOf(ExecutorClosedException.class);
        for (Runnable task : queue) {
            task.run();
        }
        assertThat(begun).hasValue(0);
        assertThat(executor.counts().groups()).isZero();
    }

    /** The same for the executor that there is without one of the user's, whose tasks nobody watches. */
    @Test
    void P12_aBatchThatTheDefaultExecutorWasGivenDoesNotBegin() throws Exception {
        CollapseEngine<String, String> engine = new CollapseEngine<>(
                CollapseOptions.defaults(),
                CollapseEngine.Runner.EXECUTOR,
                false,
                SystemScheduler.INSTANCE,
                batch -> {});
        Call<String, String> call = new BlockingCall<>("input", SystemScheduler.INSTANCE);
        assertThat(engine.submit("group", call)).isEqualTo(SubmitResult.RELEASED);
        List<Batch<String, String>> ended = engine.endUnstarted(engine.notRun());
        assertThat(ended).containsExactly(call.batch());
        assertThat(engine.start(call.batch())).isFalse();
        assertThat(engine.groupCount()).isZero();
    }

    /** The batch has been released, and its leader's thread has yet to wake up. */
    @Test
    void P12_callersWhoseLeaderHasYetToWakeUpDoNotBegin() throws Exception {
        List<Thread> woken = new CopyOnWriteArrayList<>();
        AtomicBoolean late = new AtomicBoolean();
        EngineScheduler time = new RealTime(SystemScheduler.INSTANCE) {
            @Override
            public void unpark(Thread thread) {
                if (late.get()) {
                    woken.add(thread);
                } else {
                    super.unpark(thread);
                }
            }
        };
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build(), time);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Caller first = new Caller.OnThread(
                "first",
                () -> executor.execute("group", () -> {
                    inside.countDown();
                    release.await();
                    return "answer";
                }));
        inside.await();
        List<Caller> others = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            others.add(new Caller.OnThread("other " + i, () -> executor.execute("group", counted())));
        }
        for (Caller other : others) {
            other.awaitJoined();
        }
        late.set(true);
        release.countDown();
        assertThat(first.output()).isEqualTo("answer");
        assertThat(executor.close(Duration.ZERO)).isFalse();
        late.set(false);
        woken.forEach(LockSupport::unpark);
        for (Caller other : others) {
            assertThat(other.failure()).isInstanceOf(ExecutorClosedException.class);
        }
        assertThat(begun).hasValue(0);
        assertThat(executor.counts().groups()).isZero();
    }

    /** The thread was let start its batch, and is held up before the call. */
    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "FUTURE"})
    void P12_aCallThatIsHeldUpJustBeforeItBeginsDoesNotBegin(Kind kind) throws Exception {
        CountDownLatch starts = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CollapseListener listener = new CollapseListener() {
            @Override
            public void batchEnded(BatchSummary batch) {}

            @Override
            public void batchStarted(BatchStart batch) {
                starts.countDown();
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        CollapseOptions options = CollapseOptions.builder().listener(listener).build();
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(options);
        FutureCallableGroupCollapseExecutor futures = new FutureCallableGroupCollapseExecutor(options);
        Caller caller = new Caller.OnThread("caller", () -> {
            if (kind == Kind.BLOCKING) {
                return blocking.execute("group", counted());
            }
            Callable<String> call = counted();
            return new Caller.OfFuture(futures.execute("group", () -> CompletableFuture.completedFuture(call.call())))
                    .output();
        });
        starts.await();
        assertThat((kind == Kind.BLOCKING ? blocking : futures).close(Duration.ZERO))
                .isFalse();
        closed.countDown();
        assertThat(caller.failure()).isInstanceOf(ExecutorClosedException.class);
        assertThat(begun).hasValue(0);
    }
}
