package io.github.collapseexecutor.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.GroupStall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A hang is in the log: a group in which nothing moves and callers wait. */
@ExtendWith(OutputCaptureExtension.class)
class StalledGroupTests {

    @Test
    void aGroupThatStandsStillIsLoggedOnceAndNotNamed(CapturedOutput log) throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CollapseListener statistics = new StatisticsObserver().listenerOfExecutor("prices");
        CollapseListener listener = new CollapseListener() {
            @Override
            public void batchEnded(BatchSummary batch) {
                statistics.batchEnded(batch);
            }

            @Override
            public void groupStalled(GroupStall stall) {
                statistics.groupStalled(stall);
                told.countDown();
            }
        };
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .name("prices")
                .maxConcurrentBatches(1)
                .listener(listener)
                .build());
        CompletableFuture<String> slow = new CompletableFuture<>();
        CompletableFuture<String> first = executor.execute("user 4711", () -> slow);
        CompletableFuture<String> second = executor.execute("user 4711", () -> slow);
        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(log)
                .containsOnlyOnce("A group of \"prices\" has had all its places taken")
                .doesNotContain("4711");
        slow.complete("answer");
        assertThat(first).isCompletedWithValue("answer");
        assertThat(second).isCompletedWithValue("answer");
    }
}
