package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A caller with nobody beside it, and what is left when everybody has gone (C3, C5). */
class LoneCallerTests {

    private static Set<String> threadsOfOurs() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("collapse-executor"))
                .collect(Collectors.toSet());
    }

    @Test
    void aBlockingCallersOwnThreadRunsItsBatchAndNoThreadIsStarted() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        Eventually.until(() -> threadsOfOurs().isEmpty());
        for (int i = 0; i < 1_000; i++) {
            assertThat(executor.<Thread>execute("group " + i, Thread::currentThread))
                    .isSameAs(Thread.currentThread());
        }
        assertThat(threadsOfOurs()).isEmpty();
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void aBlockingBatchRunsOnTheLoneCallersThreadToo() throws Exception {
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
    void aFutureCallersOwnThreadStartsItsBatch() throws Exception {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<Thread> thread =
                executor.execute("group", () -> CompletableFuture.completedFuture(Thread.currentThread()));
        assertThat(thread).isCompletedWithValue(Thread.currentThread());
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void noThreadAndNoTimerRemainsAfterTheLastCaller() throws Exception {
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(
                CollapseOptions.builder().callTimeout(Duration.ofHours(1)).build());
        CompletableFuture<String> held = new CompletableFuture<>();
        CompletableFuture<String> answered = executor.execute("group", held::get);
        CompletableFuture<String> left = executor.execute("group", held::get);
        // As long as somebody waits with a time-out, the timer has a thread.
        assertThat(threadsOfOurs()).contains(SystemTime.TIMER_THREAD);
        left.cancel(true);
        held.complete("output");
        assertThat(answered.get(10, TimeUnit.SECONDS)).isEqualTo("output");
        Eventually.until(() -> threadsOfOurs().isEmpty());
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
                () -> executor.engine().groupCount() == 0 && threadsOfOurs().isEmpty());
    }

    @Test
    void aMillionGroupsOneAfterAnotherLeaveNothing() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        long sum = 0;
        long left = 0;
        for (long i = 0; i < 1_000_000; i++) {
            long group = i;
            sum += executor.<Long>execute(group, () -> group);
            left += executor.engine().groupCount();
        }
        assertThat(sum).isEqualTo(499_999_500_000L);
        assertThat(left).isZero();
    }
}
