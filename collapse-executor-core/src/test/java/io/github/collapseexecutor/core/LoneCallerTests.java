package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A caller with nobody beside it, and what is left when everybody has gone. */
class LoneCallerTests {

    @Test
    void P04_aBlockingCallersOwnThreadRunsItsBatchAndNoThreadIsStarted() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        Eventually.until(() -> Threads.ofOurs().isEmpty());
        for (int i = 0; i < 1_000; i++) {
            assertThat(executor.<Thread>execute("group " + i, Thread::currentThread))
                    .isSameAs(Thread.currentThread());
        }
        assertThat(Threads.ofOurs()).isEmpty();
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P04_aBlockingBatchRunsOnTheLoneCallersThreadToo() throws Exception {
        CollapseExecutorBlockingSupport<Long, Thread, Thread> executor =
                new CollapseExecutorBlockingSupport<Long, Thread, Thread>() {
                    @Override
                    protected Thread doExecute(Collection<Input<Long>> inputs) {
                        return Thread.currentThread();
                    }

                    @Override
                    protected void bindingOutput(Thread output, List<Bundle<Long, Thread>> bundles) {
                        bundles.forEach(bundle -> bundle.bindOutput(output));
                    }
                };
        assertThat(executor.execute(1L)).isSameAs(Thread.currentThread());
    }

    @Test
    void P04_aFutureCallersOwnThreadStartsItsBatch() throws Exception {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<Thread> thread =
                executor.execute("group", () -> CompletableFuture.completedFuture(Thread.currentThread()));
        assertThat(thread).isCompletedWithValue(Thread.currentThread());
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P15_noThreadAndNoTimerRemainsAfterTheLastCaller() throws Exception {
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(
                CollapseOptions.builder().callTimeout(Duration.ofHours(1)).build());
        CompletableFuture<String> held = new CompletableFuture<>();
        CompletableFuture<String> answered = executor.execute("group", held::get);
        CompletableFuture<String> left = executor.execute("group", held::get);
        // As long as somebody waits with a time-out, the timer has a thread.
        assertThat(Threads.ofOurs()).contains(SystemScheduler.TIMER_THREAD);
        left.cancel(true);
        held.complete("output");
        assertThat(answered.get(10, TimeUnit.SECONDS)).isEqualTo("output");
        Eventually.until(() -> Threads.ofOurs().isEmpty());
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void aTimeOutThatPassesEndsTheCallAndLeavesNothingEither() throws Exception {
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(
                CollapseOptions.builder().callTimeout(Duration.ofMillis(1)).build());
        CompletableFuture<String> held = new CompletableFuture<>();
        assertThat(executor.execute("group", held::get))
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
        held.complete("too late");
        Eventually.until(
                () -> executor.engine().groupCount() == 0 && Threads.ofOurs().isEmpty());
    }
}
